package dev.sandbox.landlock;

import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.CgroupDelegation;
import dev.sandbox.linux.ConfinedSpawn;
import dev.sandbox.linux.Confinement;
import dev.sandbox.linux.ConfinementException;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeProcess;
import dev.sandbox.linux.ProgramSearch;
import dev.sandbox.linux.RunCgroup;
import dev.sandbox.linux.RunMarker;
import dev.sandbox.linux.SpawnRequest;
import dev.sandbox.linux.SyscallException;
import dev.sandbox.linux.Terminal;
import dev.sandbox.linux.seccomp.BpfProgram;
import dev.sandbox.linux.spawn.Argument;
import dev.sandbox.linux.uapi.Architecture;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Starts commands under one plan. */
final class LandlockSession implements IsolationSession {
    private final SessionRequest request;
    private final RulesetPlan plan;
    private final KeptRuleset ruleset;
    private final LinuxSyscalls syscalls;
    private final ConfinedSpawn spawn;
    private final BpfProgram filter;
    private final Optional<Path> cgroups;
    private final Set<NativeProcess> started = ConcurrentHashMap.newKeySet();

    LandlockSession(SessionRequest request, RulesetPlan plan, LinuxSyscalls syscalls, ConfinedSpawn spawn) {
        this.request = request;
        this.plan = plan;
        this.syscalls = syscalls;
        this.spawn = spawn;
        this.ruleset = new KeptRuleset(plan, syscalls);
        this.filter = plan.filter().program(Architecture.host());
        this.cgroups = plan.ownCgroup()
                ? Optional.of(CgroupCondition.parent(request, plan, CgroupDelegation.ofThisProcess()))
                : Optional.empty();
    }

    @Override
    public SandboxedProcess start(StepRequest step) {
        started.removeIf(NativeProcess::isClosed);
        try {
            NativeProcess process = start(step, Terminal.of(step, syscalls));
            started.add(process);
            return process;
        } catch (ConfinementException e) {
            if (e.stepName().equals(ConfinementException.WORKING_DIRECTORY)) {
                throw unreachable(e);
            }
            throw new SandboxUnavailableException(
                    "landlock", e.getMessage() + "; nothing ran", "see sandbox doctor", e);
        } catch (SyscallException e) {
            throw new SandboxUnavailableException("landlock", e.getMessage() + "; nothing ran", "", e);
        }
    }

    private SandboxUnavailableException unreachable(ConfinementException e) {
        String who = request.policy().runAs().map(identity -> " as " + identity).orElse("");
        return new SandboxUnavailableException(
                "landlock",
                "the step cannot enter " + request.policy().workDir() + who + ": " + e.getMessage() + "; nothing ran",
                who.isEmpty() ? "see sandbox doctor" : "let that account pass through the folders above",
                e);
    }

    private NativeProcess start(StepRequest step, Optional<Terminal> terminal) {
        try (FileDescriptor ruleset = ruleset(terminal)) {
            return spawn(step, terminal, ruleset);
        } catch (RuntimeException | Error e) {
            terminal.ifPresent(Terminal::close);
            throw e;
        }
    }

    /** A step's own terminal, which no rule of the plan can name, takes a ruleset of its own. */
    private FileDescriptor ruleset(Optional<Terminal> terminal) {
        return terminal.isPresent() ? new RulesetInstaller(syscalls).install(plan, terminal) : ruleset.current();
    }

    private NativeProcess spawn(StepRequest step, Optional<Terminal> terminal, FileDescriptor ruleset) {
        String marker = RunMarker.next();
        return spawn.spawn(SpawnRequest.builder()
                .programs(ProgramSearch.candidates(step.command(), request.environment()))
                .argv(step.command().argv())
                .environment(request.environment().variables())
                .workingDirectory(request.policy().workDir().toString())
                .stdin(step.stdin())
                .stdout(step.stdout())
                .stderr(step.stderr())
                .terminal(terminal)
                .limits(request.policy().policy().limits())
                .owner(request.policy().runAs())
                .addDescriptors(ruleset)
                .confinement(Confinement.builder()
                        .runAs(request.policy().runAs())
                        .ruleset(Argument.of(ruleset.number()))
                        .filter(filter)
                        .build())
                .marker(marker)
                .cgroup(cgroups.map(parent -> RunCgroup.make(parent, marker, syscalls)))
                .build());
    }

    @Override
    public void close() {
        started.forEach(NativeProcess::close);
        ruleset.close();
    }
}
