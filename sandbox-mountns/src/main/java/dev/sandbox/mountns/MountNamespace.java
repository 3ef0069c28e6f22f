package dev.sandbox.mountns;

import dev.sandbox.domain.isolation.OwnedProcess;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.Capabilities;
import dev.sandbox.linux.ConfinedSpawn;
import dev.sandbox.linux.Confinement;
import dev.sandbox.linux.ConfinementException;
import dev.sandbox.linux.Errno;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeProcess;
import dev.sandbox.linux.ProgramSearch;
import dev.sandbox.linux.RunMarker;
import dev.sandbox.linux.SpawnRequest;
import dev.sandbox.linux.StepLimits;
import dev.sandbox.linux.Surroundings;
import dev.sandbox.linux.SyscallException;
import dev.sandbox.linux.Terminal;
import dev.sandbox.linux.landlock.LandlockAbi;
import dev.sandbox.linux.spawn.Argument;
import dev.sandbox.linux.spawn.Entry;
import dev.sandbox.linux.spawn.FileCalls;
import dev.sandbox.linux.spawn.IdentityCalls;
import dev.sandbox.linux.spawn.InitFile;
import dev.sandbox.linux.spawn.InitUnavailableException;
import dev.sandbox.linux.spawn.MountCalls;
import dev.sandbox.linux.spawn.NamespaceCalls;
import dev.sandbox.linux.spawn.Slot;
import dev.sandbox.linux.spawn.SyscallProgram;
import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Sched;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Starts the steps of one session, each in namespaces of its own. The first makes the {@link Stage} on its way, and the others enter
 * it. Thread-safe.
 */
final class MountNamespace implements AutoCloseable {
    static final String WAY_OUT = "sandbox doctor tells what this host lacks; another backend may do";

    /** How often something may be replaced under our hands before the run is refused. */
    private static final int TRIES = 3;

    private final LinuxSyscalls syscalls;
    private final ConfinedSpawn spawn;
    private final Privilege privilege;
    private final Optional<LandlockAbi> landlock;
    private final HostSources sources;
    /** Over what follows. Read while a start uses it; written by whoever makes, changes or closes it. */
    private final ReentrantReadWriteLock shared = new ReentrantReadWriteLock();

    /** What a step does to build its root, and the plan for which that was made. */
    private @Nullable MountPlan prepared;

    private List<Entry> mounts = List.of();
    private List<Entry> rules = List.of();
    private final Slot ruleset = Slot.named("ruleset");
    private @Nullable Stage stage;
    private volatile boolean closed;

    MountNamespace(LinuxSyscalls syscalls, ConfinedSpawn spawn, Privilege privilege, Optional<LandlockAbi> landlock) {
        this.syscalls = syscalls;
        this.spawn = spawn;
        this.privilege = privilege;
        this.landlock = landlock;
        this.sources = new HostSources(syscalls);
    }

    /**
     * Carries out a plan and starts one step in it, or starts nothing.
     *
     * @throws SandboxUnavailableException naming the entry and the errno; nothing ran
     * @throws dev.sandbox.domain.problem.CommandNotStartedException when the program does not exist inside
     */
    SandboxedProcess start(MountPlan plan, SessionRequest session, StepRequest step) {
        Optional<Terminal> terminal = Optional.empty();
        try {
            terminal = Terminal.of(step, syscalls);
            return startWith(plan, session, step, terminal);
        } catch (SyscallException | InitUnavailableException e) {
            terminal.ifPresent(Terminal::close);
            throw refusal(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException | Error e) {
            terminal.ifPresent(Terminal::close);
            throw e;
        }
    }

    private SandboxedProcess startWith(
            MountPlan plan, SessionRequest session, StepRequest step, Optional<Terminal> terminal) {
        LinuxSyscalls.Pipe life = syscalls.pipe();
        try (FileDescriptor ours = life.readEnd()) {
            NativeProcess process = spawn(plan, session, step, terminal, ours);
            return new OwnedProcess(process, life.writeEnd()::close);
        } catch (RuntimeException | Error e) {
            life.writeEnd().close();
            throw e;
        }
    }

    /**
     * Beside others where all that it needs stands, so that one that hangs on its way does not hold them, whoever waits to change
     * something. The first start, one under another plan and one with placeholders go alone.
     */
    private NativeProcess spawn(
            MountPlan plan,
            SessionRequest session,
            StepRequest step,
            Optional<Terminal> terminal,
            FileDescriptor life) {
        if (!shared.readLock().tryLock()) { // which passes those that wait to change something, and may wait for long
            shared.readLock().lock();
        }
        try {
            requireOpen();
            if (stage != null && isPrepared(plan)) {
                return spawn.spawn(request(plan, session, step, terminal, life), this::keepStage);
            }
        } catch (ConfinementException e) {
            if (e.errno() != FileCalls.differs()) {
                throw refusal(e);
            }
            // Something was replaced on the host: what is held open is looked up anew, which others must not use
            // meanwhile.
        } finally {
            shared.readLock().unlock();
        }
        return spawnAlone(plan, session, step, terminal, life);
    }

    /** No other one meanwhile: it makes or changes what they share. */
    private NativeProcess spawnAlone(
            MountPlan plan,
            SessionRequest session,
            StepRequest step,
            Optional<Terminal> terminal,
            FileDescriptor life) {
        shared.writeLock().lock();
        try {
            requireOpen();
            for (int tries = 1; ; tries++) {
                prepare(plan);
                try {
                    return spawn.spawn(request(plan, session, step, terminal, life), this::keepStage);
                } catch (ConfinementException e) {
                    if (e.errno() != FileCalls.differs() || tries == TRIES) {
                        throw refusal(e);
                    }
                    sources.close();
                    prepared = null;
                }
            }
        } finally {
            shared.writeLock().unlock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the session is closed");
        }
    }

    /** The same plan of the same files, which are held open, gives the same entries. */
    private boolean isPrepared(MountPlan plan) {
        return plan.equals(prepared) && plan.hostPlaceholders().isEmpty();
    }

    private void prepare(MountPlan plan) {
        if (isPrepared(plan)) {
            return;
        }
        prepared = null;
        sources.lookUp(plan);
        mounts = MountProgram.of(plan, sources);
        rules = landlock.map(abi -> LandlockLayer.entries(plan, abi, ruleset)).orElseGet(List::of);
        prepared = plan;
    }

    private void keepStage(List<Long> opened, boolean started) {
        List<FileDescriptor> descriptors = opened.stream()
                .filter(number -> number > 0)
                .map(number -> syscalls.adopt(number.intValue()))
                .toList();
        if (started && !descriptors.isEmpty()) {
            stage = new Stage(descriptors.get(0), descriptors.stream().skip(1).findFirst());
        } else {
            descriptors.forEach(FileDescriptor::close);
        }
    }

    private SpawnRequest request(
            MountPlan plan,
            SessionRequest session,
            StepRequest step,
            Optional<Terminal> terminal,
            FileDescriptor life) {
        Limits limits = session.policy().policy().limits();
        SpawnRequest.Builder request = SpawnRequest.builder()
                .programs(ProgramSearch.candidates(step.command(), session.environment()))
                .argv(step.command().argv())
                .environment(session.environment().variables())
                .workingDirectory(plan.workDir().toString())
                .stdin(step.stdin())
                .stdout(step.stdout())
                .stderr(step.stderr())
                .terminal(terminal)
                .limits(limits)
                .counted(isCountedAlone(limits) ? StepLimits.Counted.NAMESPACE : StepLimits.Counted.ACCOUNT)
                .owner(plan.runAs())
                .addDescriptors(life, InitFile.ofThisJvm().descriptor())
                .surroundings(surroundings(plan, limits, life))
                .confinement(Confinement.builder()
                        .runAs(plan.runAs())
                        .ruleset(landlock.map(abi -> Argument.in(ruleset)))
                        .filter(plan.filter().program(Architecture.host()))
                        .build())
                .marker(RunMarker.next());
        Stage own = stage;
        if (own != null) {
            request.addAllDescriptors(own.descriptors());
        }
        return request.build();
    }

    /** The kernel counts an account's processes in each user namespace; uid 0's not at all. */
    private boolean isCountedAlone(Limits limits) {
        return limits.processes().isPresent() && privilege.needsUserNamespace();
    }

    private Surroundings surroundings(MountPlan plan, Limits limits, FileDescriptor life) {
        Surroundings.Builder around = Surroundings.builder();
        Account account = Account.ofThisProcess(syscalls.raw());
        Optional<Account> mapped = privilege.needsUserNamespace() ? Optional.of(account) : Optional.empty();
        around.origin(mapped.isPresent() ? Surroundings.Origin.USER_NAMESPACE : Surroundings.Origin.CALLER);
        Stage own = stage;
        List<Entry> entries = new ArrayList<>();
        if (own == null) {
            List<Slot> results = Stage.results();
            around.cloneFlags(Sched.CLONE_NEWNS | (mapped.isPresent() ? Sched.CLONE_NEWUSER : 0))
                    .shared(Stage.opening(mapped.isPresent(), results))
                    .results(mapped.isPresent() ? results : results.subList(0, 1));
            entries.addAll(Stage.making(plan, mapped));
        } else {
            around.cloneFlags(0);
            entries.addAll(own.entering());
        }
        boolean alone = plan.network() == MountPlan.Network.NONE;
        long namespaces = Sched.CLONE_NEWNS | Sched.CLONE_NEWPID | Sched.CLONE_NEWIPC | Sched.CLONE_NEWUTS;
        entries.add(NamespaceCalls.unshare("the namespaces", alone ? namespaces | Sched.CLONE_NEWNET : namespaces));
        entries.add(MountCalls.makePrivate());
        if (alone) {
            entries.addAll(NamespaceCalls.loopbackUp());
        }
        entries.add(NamespaceCalls.hostName(MountPlan.HOST_NAME));
        entries.addAll(mounts);
        Capabilities capabilities = Capabilities.ofThisProcess();
        // Once for all: the init and the step inherit it, unless a user namespace of its own gives the step new sets.
        entries.addAll(IdentityCalls.dropCapabilitiesAtExec(capabilities.last()));
        Entry.Clone init = InitProgram.clone(
                life,
                InitFile.ofThisJvm().descriptor(),
                plan.procFlags(account.uid()),
                mapped.isPresent() ? capabilities.all() : capabilities,
                landlock);
        Slot proc = Slot.named("proc");
        if (isCountedAlone(limits)) {
            int directory = Fcntl.O_PATH | Fcntl.O_DIRECTORY;
            entries.add(
                    FileCalls.open(proc, "the host's proc", FileCalls.HERE, MountProgram.HOST + "/proc", directory));
            around.capabilities(Surroundings.CapabilitySets.HELD)
                    .childFlags(Sched.CLONE_NEWUSER)
                    .childEntries(NamespaceCalls.mapIds(Argument.in(proc), "self", account.uid(), account.gid()));
        }
        around.init(init);
        entries.addAll(SyscallProgram.child(init));
        entries.addAll(MountCalls.leaveFor(MountProgram.ROOT));
        entries.add(MountCalls.seal("seal /", "/"));
        entries.addAll(rules);
        return around.entries(entries).build();
    }

    private static SandboxUnavailableException refusal(ConfinementException e) {
        return refusal(e.stepName() + ": " + Errno.describe(e.errno()), e);
    }

    private static SandboxUnavailableException refusal(String what, Exception cause) {
        return new SandboxUnavailableException("mountns", what + "; nothing ran", WAY_OUT, cause);
    }

    @Override
    public void close() {
        closed = true;
        shared.writeLock().lock();
        try {
            sources.close();
            Stage own = stage;
            stage = null;
            if (own != null) {
                own.close();
            }
        } finally {
            shared.writeLock().unlock();
        }
    }
}
