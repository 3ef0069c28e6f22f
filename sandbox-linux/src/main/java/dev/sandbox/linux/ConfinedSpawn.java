package dev.sandbox.linux;

import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.problem.CommandNotStartedException;
import java.util.List;

/**
 * Starts a child that is confined while the JVM is not. Landlock, no_new_privs, capabilities, seccomp and mount namespaces
 * belong to a thread in Linux, and a child inherits those of the thread that spawned it: so a fresh thread gives up what the
 * child shall not have, spawns it and ends. Everything is prepared before; see {@link ConfinementStep} for what may happen
 * on that thread.
 *
 * <p>Not ProcessBuilder: its child first executes the JDK's jspawnhelper, which a confined thread may not, and it starts
 * from a thread of the JDK's choosing. Not PR_SET_PDEATHSIG: it follows the spawning thread, which ends at once.
 *
 * <p>Thread-safe.
 */
public final class ConfinedSpawn {
    private final LinuxSyscalls syscalls = LinuxSyscalls.host();

    /** Loads what the confined thread will use, once for the JVM. */
    public ConfinedSpawn() {
        WarmUp.done();
    }

    /**
     * Starts a child.
     *
     * @throws ConfinementException when the sandbox could not be set up
     * @throws CommandNotStartedException when no candidate could be executed in it
     * @throws SyscallException when the JVM has no descriptor or thread left
     */
    public NativeProcess spawn(SpawnRequest request) {
        return spawn(request, List.of());
    }

    /**
     * Starts a child whose confinement steps also spawn helpers (a PID namespace's init). The helpers belong to the process:
     * they are killed and reaped with it, and are not counted as what the command left behind. The caller closes them, after
     * this returned.
     */
    public NativeProcess spawn(SpawnRequest request, List<PreparedSpawn> helpers) {
        Watchdog watchdog = Watchdog.ofThisJvm();
        NativeProcess process;
        try {
            watchdog.starting();
            process = open(request, helpers);
        } catch (RuntimeException | Error e) {
            watchdog.failed();
            request.cgroup().ifPresent(RunCgroup::close);
            request.terminal().ifPresent(Terminal::close);
            throw e;
        }
        try {
            watchdog.started((int) process.pid());
            return process;
        } catch (RuntimeException | Error e) {
            process.close();
            throw e;
        }
    }

    /**
     * Carries steps out on a throw-away thread that spawns nothing: what they open outlives it.
     *
     * @throws ConfinementException naming the step that failed
     */
    public void carryOut(List<ConfinementStep> steps) {
        ConfinedThread thread = ConfinedThread.run(steps, null);
        ConfinementStep failed = thread.failedStep();
        if (failed != null) {
            throw new ConfinementException(failed.name(), thread.errno());
        }
    }

    /** For the watchdog itself. */
    NativeProcess spawnUnwatched(SpawnRequest request) {
        return open(request, List.of());
    }

    private NativeProcess open(SpawnRequest request, List<PreparedSpawn> helpers) {
        ChildStreams streams = ChildStreams.open(request, syscalls);
        try (PreparedSpawn spawn = PreparedSpawn.build(request, streams.sources())) {
            return spawn(request, streams, spawn, helpers);
        } catch (RuntimeException | Error e) {
            streams.close();
            throw e;
        } finally {
            streams.closeChildEnds();
        }
    }

    private NativeProcess spawn(
            SpawnRequest request, ChildStreams streams, PreparedSpawn spawn, List<PreparedSpawn> helpers) {
        FileDescriptor wake = syscalls.eventfd();
        try {
            throwIfFailed(ConfinedThread.run(request.confinement(), spawn), spawn);
            request.cgroup().ifPresent(cgroup -> cgroup.admit(spawn.pid()));
            return NativeProcess.adopt(spawn.pid(), helpers, request, streams, wake);
        } catch (RuntimeException | Error e) {
            wake.close();
            // The child first: a helper that is the init of its PID namespace cannot end before it is reaped.
            Orphan.end(spawn.pid());
            helpers.forEach(helper -> Orphan.end(helper.pid()));
            throw e;
        }
    }

    private static void throwIfFailed(ConfinedThread thread, PreparedSpawn spawn) {
        int errno = thread.errno();
        ConfinementStep step = thread.failedStep();
        if (step != null) {
            throw new ConfinementException(step.name(), errno);
        }
        if (errno != 0) {
            throw SpawnFailure.of(spawn, errno);
        }
    }

    /** A whole failing spawn on a thread of its own: classes, stubs and the way of an error are then linked. */
    private static final class WarmUp {
        static {
            SpawnRequest nothing = SpawnRequest.builder()
                    .addPrograms("")
                    .addArgv("")
                    .workingDirectory("/")
                    .stdout(Stdio.NULL)
                    .stderr(Stdio.NULL)
                    .marker("warm-up")
                    .build();
            RawSyscalls raw = RawSyscalls.host();
            try (PreparedSpawn spawn = PreparedSpawn.build(nothing, new StandardStreams(0, 1, 2))) {
                ConfinedThread.run(List.of(new LinkStubs(raw)), spawn);
            }
        }

        static void done() {}
    }
}
