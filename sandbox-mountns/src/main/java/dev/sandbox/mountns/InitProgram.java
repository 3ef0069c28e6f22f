package dev.sandbox.mountns;

import dev.sandbox.linux.Capabilities;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.landlock.FsRight;
import dev.sandbox.linux.landlock.LandlockAbi;
import dev.sandbox.linux.landlock.LandlockStructs;
import dev.sandbox.linux.landlock.Scope;
import dev.sandbox.linux.seccomp.InitFilter;
import dev.sandbox.linux.spawn.Argument;
import dev.sandbox.linux.spawn.DescriptorCalls;
import dev.sandbox.linux.spawn.Entry;
import dev.sandbox.linux.spawn.IdentityCalls;
import dev.sandbox.linux.spawn.LandlockCalls;
import dev.sandbox.linux.spawn.MountCalls;
import dev.sandbox.linux.spawn.ProcessCalls;
import dev.sandbox.linux.spawn.SeccompCalls;
import dev.sandbox.linux.spawn.Slot;
import dev.sandbox.linux.spawn.SyscallProgram;
import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Mount;
import dev.sandbox.linux.uapi.Sched;
import dev.sandbox.linux.uapi.Signals;
import java.util.Optional;

/**
 * The first process of the PID namespace. Being in it, it mounts its {@code /proc}; then it gives up everything and waits until its
 * standard input ends: with the JVM, or with the run. When it ends, the kernel kills everything in the namespace.
 *
 * <p>A step finds it at number 1 and gains nothing from it: it shares no memory with the JVM, has no capability and no right to any
 * file, makes no call but those that it needs, cannot be traced or signalled from the step's domain, and blocks every signal. Pure.
 */
final class InitProgram {
    private static final int LIFE = 0;
    private static final int IMAGE = 1;

    private InitProgram() {}

    /**
     * @param life the end of a pipe whose other end only the JVM has
     * @param image its program
     * @param procFlags of its mount
     */
    static Entry.Clone clone(
            FileDescriptor life,
            FileDescriptor image,
            long procFlags,
            Capabilities capabilities,
            Optional<LandlockAbi> abi) {
        SyscallProgram.Builder program = SyscallProgram.named("init").add(ProcessCalls.dieWithParent());
        program.add(MountCalls.mount(
                "mount proc",
                "proc",
                MountProgram.ROOT + "/proc",
                procFlags | Mount.MS_NOSUID | Mount.MS_NODEV | Mount.MS_NOEXEC,
                ""));
        program.add(ProcessCalls.newSession());
        // Before execve, which keeps it: an orphan that ends before the first instruction would stay a zombie.
        program.add(ProcessCalls.ignoreChildren());
        // So that the file that it executes cannot be read by it, and nobody may look into its memory.
        program.add(IdentityCalls.disarmCapabilities(capabilities.permitted()));
        program.add(IdentityCalls.noNewPrivileges());
        program.add(DescriptorCalls.duplicate(life.number(), LIFE));
        program.add(DescriptorCalls.duplicateUntilExec(image.number(), IMAGE));
        abi.ifPresent(known -> restrict(program, known));
        program.add(DescriptorCalls.closeFrom(IMAGE + 1));
        program.add(ProcessCalls.outliveThread());
        program.add(SeccompCalls.filter(InitFilter.program(Architecture.host())));
        program.add(ProcessCalls.executeFile("the init", IMAGE, "sandbox-init"));
        return new Entry.Clone(
                "start the init",
                Sched.CLONE_PARENT | Signals.SIGCHLD,
                program.build(),
                Slot.named("init.pid"),
                Optional.empty());
    }

    /** No rule: nothing is allowed. */
    private static void restrict(SyscallProgram.Builder program, LandlockAbi abi) {
        Slot ruleset = Slot.named("ruleset");
        program.add(LandlockCalls.create(
                ruleset,
                LandlockStructs.rulesetSize(abi),
                FsRight.bits(FsRight.of(abi)),
                0,
                Scope.bits(Scope.of(abi))));
        program.add(LandlockCalls.restrictSelf(Argument.in(ruleset)));
    }
}
