package dev.sandbox.app.service;

import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.isolation.OutputSink;
import dev.sandbox.domain.isolation.RunningStep;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.result.ExecutionResult;
import java.time.Duration;
import java.util.List;

/** Runs the steps of clients, each on its client's thread, when it is its turn. Thread-safe. */
public final class StepService {
    private static final Duration LAST_CALL = Duration.ofSeconds(5);

    private final CurrentSandbox sandbox;
    private final Turns turns;
    private final StepObserver observer;

    /** A service. */
    public StepService(CurrentSandbox sandbox, Turns turns, StepObserver observer) {
        this.sandbox = sandbox;
        this.turns = turns;
        this.observer = observer;
    }

    /**
     * Runs one to its end and captures its output.
     *
     * @throws SandboxException when it is refused; nothing ran
     */
    public ExecutionResult run(StepJob job, Cancellation cancellation) {
        return run(job, cancellation, session -> session.run(job.command()));
    }

    /** As {@link #run(StepJob, Cancellation)}, but hands the output on as it comes. */
    public ExecutionResult run(StepJob job, Cancellation cancellation, OutputSink stdout, OutputSink stderr) {
        return run(job, cancellation, session -> session.run(StepRequest.piped(job.command()), stdout, stderr));
    }

    private interface Run {
        ExecutionResult in(SandboxSession session);
    }

    private ExecutionResult run(StepJob job, Cancellation cancellation, Run run) {
        ExecutionResult result;
        try {
            result = taken(job, cancellation, run);
        } catch (SandboxException e) {
            observer.refused(e);
            throw e;
        }
        observer.ran(result);
        return ExecutionResult.builder().from(result).addAllNotes(job.notes()).build();
    }

    private ExecutionResult taken(StepJob job, Cancellation cancellation, Run run) {
        Turns.Turn turn = turns.take();
        try {
            try (SandboxSession session = sandbox.get().open(job.policy(), job.confinement())) {
                cancellation.endBy(session::close);
                return run(cancellation, run, session);
            } finally {
                cancellation.ended();
            }
        } finally {
            turn.close();
        }
    }

    private static ExecutionResult run(Cancellation cancellation, Run run, SandboxSession session) {
        try {
            return run.in(session);
        } catch (IllegalStateException closed) {
            if (cancellation.isCancelled()) {
                throw new SandboxUnavailableException("", "cancelled before it started", "");
            }
            throw closed;
        }
    }

    /** What runs now, the oldest first. */
    public List<RunningStep> running() {
        return sandbox.get().running();
    }

    /** Ends one, with all that it started; false when none of that id runs. */
    public boolean cancel(long id) {
        return sandbox.get().cancel(id);
    }

    /** Refuses new steps, gives the running ones this time, and then ends them. */
    public void drain(Duration time) {
        turns.close();
        if (!turns.awaitIdle(time)) {
            running().forEach(step -> cancel(step.id()));
            turns.awaitIdle(LAST_CALL);
        }
    }

    /** Whether new steps are refused because the service ends. */
    public boolean isEnding() {
        return turns.isClosed();
    }

    /** Running and waiting steps per step that may run at once: 1 is full, more means that clients wait. */
    public double saturation() {
        return turns.saturation();
    }

    /** How many run. */
    public int runningCount() {
        return turns.running();
    }

    /** How many wait for their turn. */
    public int waitingCount() {
        return turns.waiting();
    }
}
