package dev.sandbox.linux;

import dev.sandbox.domain.problem.CommandNotStartedException;
import dev.sandbox.linux.spawn.Argument;
import dev.sandbox.linux.spawn.SpawnReport;
import dev.sandbox.linux.spawn.SpawnTimeoutException;
import dev.sandbox.linux.spawn.Spawner;
import java.util.List;
import java.util.Optional;

/**
 * Starts a child that is confined while the JVM is not: a program of system calls, which the child itself carries out in the JVM's
 * memory and on a stack of its own. Nothing of the JVM runs in it, and no launcher program stands between. See {@link StepProgram}.
 *
 * <p>Not ProcessBuilder: its child first executes the JDK's jspawnhelper, and nothing could be done in it.
 *
 * <p>Thread-safe.
 */
public final class ConfinedSpawn {
    private static final class Host {
        static final StepProgram.Facts FACTS = new StepProgram.Facts(
                ProcessHandle.current().pid(),
                Integer.toUnsignedLong(RawSyscalls.host().getuid()),
                Capabilities.ofThisProcess());
    }

    private final LinuxSyscalls syscalls = LinuxSyscalls.host();
    private final Spawner spawner;

    public ConfinedSpawn() {
        this(new Spawner());
    }

    /** One whose programs are carried out by a given spawner. */
    public ConfinedSpawn(Spawner spawner) {
        this.spawner = spawner;
        ChildSignal.check(syscalls.raw());
    }

    /**
     * Starts a child.
     *
     * @throws ConfinementException when the sandbox could not be set up
     * @throws CommandNotStartedException when no candidate could be executed in it
     * @throws SyscallException when the JVM has no descriptor or thread left
     */
    public NativeProcess spawn(SpawnRequest request) {
        return spawn(request, (results, started) -> {});
    }

    /** What the surroundings' entries have opened in this process. */
    @FunctionalInterface
    public interface ResultsReceiver {
        /**
         * Called once, whatever came of the spawn, if there was one; for one that took too long, by another thread and maybe later.
         *
         * @param results what each of {@link Surroundings#results} holds; 0 where its entry was not reached, negative where it failed
         * @param started whether the child was
         */
        void accept(List<Long> results, boolean started);
    }

    /** As {@link #spawn(SpawnRequest)}, and hands on what the surroundings have opened. */
    public NativeProcess spawn(SpawnRequest request, ResultsReceiver receiver) {
        return spawner.lists() ? list(request, receiver) : watched(request, receiver);
    }

    /** Nothing will run that would have to be watched; it ends with the exception that says so. */
    private NativeProcess list(SpawnRequest request, ResultsReceiver receiver) {
        try {
            return open(request, receiver);
        } finally {
            request.cgroup().ifPresent(RunCgroup::close);
            request.terminal().ifPresent(Terminal::close);
        }
    }

    private NativeProcess watched(SpawnRequest request, ResultsReceiver receiver) {
        Watchdog watchdog = Watchdog.ofThisJvm();
        NativeProcess process;
        try {
            watchdog.starting();
            process = open(request, receiver);
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

    /** For the watchdog itself. */
    NativeProcess spawnUnwatched(SpawnRequest request) {
        return open(request, (results, started) -> {});
    }

    private NativeProcess open(SpawnRequest request, ResultsReceiver receiver) {
        ChildStreams streams = ChildStreams.open(request, syscalls);
        try {
            return carryOut(request, streams, receiver);
        } catch (RuntimeException | Error e) {
            streams.close();
            throw e;
        } finally {
            streams.closeChildEnds();
        }
    }

    private NativeProcess carryOut(SpawnRequest request, ChildStreams streams, ResultsReceiver receiver) {
        Birth birth = Birth.next();
        try {
            Optional<Argument> born = request.cgroup()
                    .map(cgroup -> Argument.of(cgroup.directory().number()));
            StepProgram.Plan plan = StepProgram.of(request, streams.sources(), Host.FACTS, born);
            try (SpawnReport report = spawn(plan, request, receiver)) {
                if (born.isPresent() && isRefused(report, plan)) {
                    return carryOutMoving(request, streams, receiver, birth);
                }
                return adopt(plan, report, request, streams, receiver, birth);
            }
        } catch (SpawnTimeoutException e) {
            birth.wake().close();
            throw new ConfinementException(String.valueOf(e.getMessage()), Errno.ETIMEDOUT.number());
        } catch (RuntimeException | Error e) {
            birth.wake().close();
            throw e;
        }
    }

    private SpawnReport spawn(StepProgram.Plan plan, SpawnRequest request, ResultsReceiver receiver) {
        return spawner.spawn(
                plan.outermost(),
                request.patience(),
                report -> request.surroundings().ifPresent(around -> receiver.accept(results(around, report), false)));
    }

    private static List<Long> results(Surroundings around, SpawnReport report) {
        return around.results().stream().map(report::value).toList();
    }

    /** Container engines' default filters know no clone3. */
    private static boolean isRefused(SpawnReport report, StepProgram.Plan plan) {
        return report.failure()
                .filter(failure -> failure.entry() == plan.outermost() && failure.errno() == Errno.ENOSYS.number())
                .isPresent();
    }

    private NativeProcess carryOutMoving(
            SpawnRequest request, ChildStreams streams, ResultsReceiver receiver, Birth birth) {
        StepProgram.Plan plan = StepProgram.of(request, streams.sources(), Host.FACTS, Optional.empty());
        try (SpawnReport report = spawn(plan, request, receiver)) {
            return adopt(plan, report, request, streams, receiver, birth);
        }
    }

    private static NativeProcess adopt(
            StepProgram.Plan plan,
            SpawnReport report,
            SpawnRequest request,
            ChildStreams streams,
            ResultsReceiver receiver,
            Birth birth) {
        request.surroundings()
                .ifPresent(around -> receiver.accept(
                        results(around, report), report.failure().isEmpty()));
        if (report.failure().isPresent()) {
            throw SpawnFailure.of(plan, report, request);
        }
        int child = report.pid(plan.child());
        Optional<Integer> init = plan.init().map(report::pid);
        try {
            return NativeProcess.adopt(child, init, request, streams, birth);
        } catch (RuntimeException | Error e) {
            // The child first: the init of a PID namespace cannot end before it is reaped.
            Orphan.end(child);
            init.ifPresent(Orphan::end);
            throw e;
        }
    }
}
