package dev.sandbox.linux;

import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.linux.spawn.Argument;
import dev.sandbox.linux.spawn.Block;
import dev.sandbox.linux.spawn.DescriptorCalls;
import dev.sandbox.linux.spawn.Entry;
import dev.sandbox.linux.spawn.FileCalls;
import dev.sandbox.linux.spawn.IdentityCalls;
import dev.sandbox.linux.spawn.LandlockCalls;
import dev.sandbox.linux.spawn.ProcessCalls;
import dev.sandbox.linux.spawn.SeccompCalls;
import dev.sandbox.linux.spawn.Slot;
import dev.sandbox.linux.spawn.SyscallProgram;
import dev.sandbox.linux.uapi.Capability;
import dev.sandbox.linux.uapi.Sched;
import dev.sandbox.linux.uapi.Signals;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * From a request to the program that starts its child. Pure: what it needs of this process enters as {@link Facts}.
 *
 * <p>The order is the point. What needs capabilities comes before they are disarmed; the working directory is entered and the program
 * looked up as the command itself would; limits come when no descriptor is opened any more; the filter is last, so that only a look at
 * the signals and execve are under it.
 */
final class StepProgram {
    private static final int FIRST_OTHER_FD = 3;

    private final SpawnRequest request;
    private final StandardStreams streams;
    private final Facts facts;
    private final List<Entry.Call> executions = new ArrayList<>();
    private final Entry noCandidate = ProcessCalls.noCandidate();
    private final Entry workingDirectory;

    /**
     * What it needs to know of this process.
     *
     * @param pid its number
     * @param uid its real user
     * @param capabilities what it may do
     */
    record Facts(long pid, long uid, Capabilities capabilities) {}

    /**
     * A request as a program.
     *
     * @param outermost what is carried out
     * @param child the clone of the command's own process
     * @param init the clone of its PID namespace's first process
     * @param workingDirectory the entry that enters it
     * @param executions one for each candidate
     * @param noCandidate what fails when none of them could be executed
     */
    record Plan(
            Entry.Clone outermost,
            Entry.Clone child,
            Optional<Entry.Clone> init,
            Entry workingDirectory,
            List<Entry.Call> executions,
            Entry noCandidate) {}

    private StepProgram(SpawnRequest request, StandardStreams streams, Facts facts) {
        this.request = request;
        this.streams = streams;
        this.facts = facts;
        this.workingDirectory = FileCalls.enter(request.workingDirectory());
    }

    /** @param cgroup the descriptor of a cgroup to be born in; without it the child moves to the request's by itself */
    static Plan of(SpawnRequest request, StandardStreams streams, Facts facts, Optional<Argument> cgroup) {
        return new StepProgram(request, streams, facts).plan(cgroup);
    }

    private Plan plan(Optional<Argument> cgroup) {
        List<Entry> moving = cgroup.isPresent()
                ? List.of()
                : request.cgroup().map(RunCgroup::entries).orElseGet(List::of);
        Optional<Surroundings> around = request.surroundings();
        if (around.isEmpty()) {
            SyscallProgram.Builder program = SyscallProgram.named("child")
                    .addAll(beginning())
                    .add(ownTable())
                    .addAll(moving);
            Entry.Clone clone = clone("start the child", Sched.CLONE_FILES | Signals.SIGCHLD, step(program), cgroup);
            return new Plan(clone, clone, Optional.empty(), workingDirectory, executions, noCandidate);
        }
        Surroundings surroundings = around.get();
        SyscallProgram.Builder nested = SyscallProgram.named("child").add(ProcessCalls.dieWithParent());
        nested.addAll(surroundings.childEntries());
        long childFlags = Sched.CLONE_PARENT | surroundings.childFlags() | Signals.SIGCHLD;
        Entry.Clone child = clone("start the child", childFlags, step(nested), Optional.empty());
        SyscallProgram builder = SyscallProgram.named("builder")
                .addAll(beginning())
                .addAll(surroundings.shared())
                .add(ownTable())
                .addAll(moving)
                .addAll(surroundings.entries())
                .child(child)
                .build();
        Entry.Clone outermost = clone(
                "make the namespaces",
                surroundings.cloneFlags() | Sched.CLONE_FILES | Signals.SIGCHLD,
                builder,
                cgroup);
        return new Plan(outermost, child, surroundings.init(), workingDirectory, executions, noCandidate);
    }

    private static Entry.Clone clone(String name, long flags, SyscallProgram program, Optional<Argument> cgroup) {
        return new Entry.Clone(name, flags, program, Slot.named(program.name() + ".pid"), cgroup);
    }

    /** The table is shared until {@link #ownTable}. */
    private List<Entry> beginning() {
        List<Entry> entries = new ArrayList<>();
        entries.add(ProcessCalls.dieWithParent());
        entries.addAll(ProcessCalls.parentIs(facts.pid()));
        return entries;
    }

    private Entry ownTable() {
        int highest =
                Math.max(FIRST_OTHER_FD - 1, Math.max(streams.stdin(), Math.max(streams.stdout(), streams.stderr())));
        int cgroup = request.cgroup().map(own -> own.directory().number()).orElse(0);
        highest = Math.max(highest, cgroup);
        for (FileDescriptor descriptor : request.descriptors()) {
            highest = Math.max(highest, descriptor.number());
        }
        return DescriptorCalls.ownTable(highest);
    }

    private SyscallProgram step(SyscallProgram.Builder program) {
        program.addAll(ProcessCalls.resetSignals()).add(ProcessCalls.newSession());
        for (int child = 0; child < FIRST_OTHER_FD; child++) {
            program.add(DescriptorCalls.duplicate(streams.source(child), child));
        }
        if (request.stdin() == Stdio.TERMINAL && request.controlling()) {
            program.add(ProcessCalls.controllingTerminal());
        }
        Confinement confinement = request.confinement();
        addIdentity(program, confinement);
        program.add(workingDirectory);
        confinement.ruleset().ifPresent(ruleset -> program.add(LandlockCalls.restrictSelf(ruleset)));
        program.addAll(StepLimits.entries(request.limits(), request.counted(), uid()));
        program.add(DescriptorCalls.closeFrom(FIRST_OTHER_FD)).add(ProcessCalls.outliveThread());
        confinement.filter().ifPresent(filter -> program.add(SeccompCalls.filter(filter)));
        program.add(ProcessCalls.unblockSignals());
        Block argv = Block.pointers("argv", request.argv());
        Block envp = Block.pointers("envp", environment());
        request.programs().forEach(candidate -> executions.add(ProcessCalls.execute(candidate, argv, envp)));
        return program.addAll(executions).add(noCandidate).build();
    }

    private void addIdentity(SyscallProgram.Builder program, Confinement confinement) {
        boolean free = confinement.privileges() == Confinement.Privileges.INHERITED;
        Capabilities own = request.surroundings()
                .filter(around -> around.origin() == Surroundings.Origin.USER_NAMESPACE)
                .map(around -> facts.capabilities().all())
                .orElse(facts.capabilities());
        boolean dropped = request.surroundings()
                .filter(around -> around.capabilities() == Surroundings.CapabilitySets.DROPPED_AT_EXEC)
                .isPresent();
        if (!free && !dropped && own.has(Capability.CAP_SETPCAP)) {
            program.addAll(IdentityCalls.dropCapabilitiesAtExec(own.last()));
        } else if (!free && !dropped) {
            program.add(IdentityCalls.clearAmbient());
        }
        confinement
                .runAs()
                .ifPresent(identity -> program.addAll(IdentityCalls.become(identity.uid(), identity.gid()))
                        // The change of ids has taken it away.
                        .add(ProcessCalls.dieWithParent()));
        if (!free) {
            program.add(
                    own.has(Capability.CAP_SETPCAP)
                            ? IdentityCalls.disarmCapabilities(own.permitted())
                            : IdentityCalls.dropCapabilities());
        }
        if (!free || confinement.filter().isPresent() || confinement.ruleset().isPresent()) {
            program.add(IdentityCalls.noNewPrivileges());
        }
    }

    private long uid() {
        return request.confinement().runAs().map(Identity::uid).orElse(facts.uid());
    }

    private List<String> environment() {
        Map<String, String> all = new LinkedHashMap<>();
        // First, so that the sweep finds it at the beginning of most environments.
        all.put(SpawnRequest.MARKER_VARIABLE, request.marker());
        request.environment().forEach(all::putIfAbsent);
        List<String> entries = new ArrayList<>(all.size());
        all.forEach((name, value) -> entries.add(name + "=" + value));
        return entries;
    }
}
