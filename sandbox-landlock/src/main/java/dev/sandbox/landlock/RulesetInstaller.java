package dev.sandbox.landlock;

import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.FileKind;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeArena;
import dev.sandbox.linux.SyscallException;
import dev.sandbox.linux.Terminal;
import dev.sandbox.linux.landlock.FsRight;
import dev.sandbox.linux.landlock.LandlockStructs;
import dev.sandbox.linux.landlock.NetRight;
import dev.sandbox.linux.landlock.PathRule;
import dev.sandbox.linux.landlock.PortRule;
import dev.sandbox.linux.landlock.Scope;
import java.util.EnumSet;
import java.util.Optional;

/** Carries a {@link RulesetPlan} out: makes the ruleset and adds its rules, all before the thread that it will bind exists. */
final class RulesetInstaller {
    private final LinuxSyscalls syscalls;

    RulesetInstaller(LinuxSyscalls syscalls) {
        this.syscalls = syscalls;
    }

    /**
     * A descriptor of the ruleset, for {@link RestrictStep}.
     *
     * @param terminal of the step's own, which no rule of the plan can name
     * @throws SandboxUnavailableException naming the call, the path and the errno
     */
    FileDescriptor install(RulesetPlan plan, Optional<Terminal> terminal) {
        FileDescriptor ruleset = create(plan);
        try (NativeArena arena = new NativeArena()) {
            long attributes =
                    arena.allocate(Math.max(LandlockStructs.PATH_BENEATH_SIZE, LandlockStructs.NET_PORT_SIZE));
            for (PathRule rule : plan.rules()) {
                add(ruleset, rule, attributes);
            }
            for (PortRule rule : plan.ports()) {
                add(ruleset, rule, attributes);
            }
            terminal.ifPresent(own -> add(ruleset, own, plan, attributes));
            return ruleset;
        } catch (SyscallException e) {
            ruleset.close();
            throw failed(e);
        } catch (RuntimeException e) {
            ruleset.close();
            throw e;
        }
    }

    private FileDescriptor create(RulesetPlan plan) {
        try (NativeArena arena = new NativeArena()) {
            long size = LandlockStructs.rulesetSize(plan.abi());
            long attributes = arena.allocate(LandlockStructs.RULESET_SIZE);
            NativeArena.putLong(attributes + LandlockStructs.HANDLED_ACCESS_FS, FsRight.bits(plan.handledFs()));
            NativeArena.putLong(attributes + LandlockStructs.HANDLED_ACCESS_NET, NetRight.bits(plan.handledNet()));
            NativeArena.putLong(attributes + LandlockStructs.SCOPED, Scope.bits(plan.scopes()));
            return syscalls.landlockCreateRuleset(attributes, size);
        } catch (SyscallException e) {
            throw failed(e);
        }
    }

    private void add(FileDescriptor ruleset, PathRule rule, long attributes) {
        try (FileDescriptor path = syscalls.openCanonical(rule.path().toString())) {
            if ((syscalls.kind(path) == FileKind.DIRECTORY) != (rule.kind() == EntryKind.DIRECTORY)) {
                throw new SandboxUnavailableException(
                        "landlock",
                        rule.path() + " was replaced while the policy was being enforced",
                        "run the command again");
            }
            NativeArena.putLong(attributes + LandlockStructs.ALLOWED_ACCESS, FsRight.bits(rule.rights()));
            NativeArena.putInt(attributes + LandlockStructs.PARENT_FD, path.number());
            syscalls.landlockAddRule(
                    ruleset,
                    LandlockStructs.RULE_PATH_BENEATH,
                    attributes,
                    rule.path().toString());
        }
    }

    private void add(FileDescriptor ruleset, PortRule rule, long attributes) {
        NativeArena.putLong(attributes + LandlockStructs.ALLOWED_ACCESS, NetRight.bits(rule.rights()));
        NativeArena.putLong(attributes + LandlockStructs.PORT, rule.port());
        syscalls.landlockAddRule(ruleset, LandlockStructs.RULE_NET_PORT, attributes, "port " + rule.port());
    }

    /** It is opened once more in the child, and by programs that ask for their terminal's name. */
    private void add(FileDescriptor ruleset, Terminal terminal, RulesetPlan plan, long attributes) {
        EnumSet<FsRight> rights = EnumSet.of(FsRight.READ_FILE, FsRight.WRITE_FILE, FsRight.IOCTL_DEV);
        rights.retainAll(plan.handledFs());
        NativeArena.putLong(attributes + LandlockStructs.ALLOWED_ACCESS, FsRight.bits(rights));
        NativeArena.putInt(
                attributes + LandlockStructs.PARENT_FD, terminal.theirs().number());
        syscalls.landlockAddRule(ruleset, LandlockStructs.RULE_PATH_BENEATH, attributes, "the step's terminal");
    }

    private static SandboxUnavailableException failed(SyscallException e) {
        return new SandboxUnavailableException("landlock", e.getMessage() + "; nothing ran", "see sandbox doctor", e);
    }
}
