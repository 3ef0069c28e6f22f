package dev.sandbox.docker;

import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.isolation.Completion.Leftovers;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.ExitStatus;
import dev.sandbox.domain.isolation.OutputSink;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.result.Termination;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One exchange: hands chunks to the sinks until the command and its output have ended, or somebody ends them. */
final class ExchangeLoop {
    /** How often the engine is asked whether the command still runs while it is silent. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** How soon a sink that wants no more for now is asked again. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private final ContainerProcess process;
    private final Exchange exchange;
    private final long start = System.nanoTime();
    private Optional<Termination> ending = Optional.empty();
    private boolean interrupted;

    ExchangeLoop(ContainerProcess process, Exchange exchange) {
        this.process = process;
        this.exchange = exchange;
    }

    Completion run() {
        try {
            pump();
            if (ending.isPresent() && !process.wasDestroyed()) {
                end();
            }
            return complete();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Until all output has come, the command has ended and the drain time is over, or there is a reason to end it. */
    private void pump() {
        long endedAt = 0;
        long nextLook = System.nanoTime() + LOOK_NANOS;
        while (!process.output().isDrained() && ending.isEmpty()) {
            long now = System.nanoTime();
            boolean held = endedAt == 0 && isHeldBack();
            long most = Math.max(0, Math.min(held ? PAUSE_NANOS : LOOK_NANOS, leftUntilTimeout(now)));
            boolean quiet = held ? pause(most) : !move(most);
            look(now);
            if (quiet && now >= nextLook) {
                nextLook = now + LOOK_NANOS;
                if (endedAt == 0 && process.status().isPresent()) {
                    endedAt = now;
                }
            }
            if (endedAt != 0 && now - endedAt > exchange.drain().toNanos()) {
                return;
            }
        }
    }

    /** Whether a sink wants no more for now; both streams wait then, since the engine has one connection for them. */
    private boolean isHeldBack() {
        OutputSink.Demand out = demand(process.step().stdout(), exchange.stdout());
        OutputSink.Demand err = demand(process.step().stderr(), exchange.stderr());
        if (out == OutputSink.Demand.END_RUN || err == OutputSink.Demand.END_RUN) {
            ending = ending.or(() -> Optional.of(Termination.OUTPUT_LIMIT));
        }
        return out != OutputSink.Demand.MORE || err != OutputSink.Demand.MORE;
    }

    private static OutputSink.Demand demand(Stdio stdio, OutputSink sink) {
        return switch (stdio) {
            case PIPE, TERMINAL -> sink.demand();
            case NULL, MERGED, INHERIT -> OutputSink.Demand.MORE;
        };
    }

    private boolean pause(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        return true;
    }

    private void look(long now) {
        if (ending.isPresent()) {
            return;
        }
        if (interrupted || process.isCancelled()) {
            ending = Optional.of(Termination.CANCELLED);
        } else if (leftUntilTimeout(now) <= 0) {
            ending = Optional.of(Termination.TIMED_OUT);
        }
    }

    private long leftUntilTimeout(long now) {
        return exchange.timeout()
                .map(timeout -> timeout.toNanos() - (now - start))
                .orElse(Long.MAX_VALUE);
    }

    /** Hands over one chunk; false when none came in time. */
    private boolean move(long nanos) {
        try {
            Optional<StepOutput.Chunk> chunk = process.output().poll(nanos);
            chunk.ifPresent(this::deliver);
            return chunk.isPresent();
        } catch (InterruptedException e) {
            interrupted = true;
            return false;
        }
    }

    private void deliver(StepOutput.Chunk chunk) {
        OutputSink.Demand demand = switch (chunk.channel()) {
            case STDOUT -> deliver(chunk, process.step().stdout(), exchange.stdout(), FileDescriptor.out);
            case STDERR -> deliver(chunk, process.step().stderr(), exchange.stderr(), FileDescriptor.err);
        };
        if (demand == OutputSink.Demand.END_RUN && ending.isEmpty()) {
            ending = Optional.of(Termination.OUTPUT_LIMIT);
        }
    }

    private static OutputSink.Demand deliver(StepOutput.Chunk chunk, Stdio stdio, OutputSink sink, FileDescriptor own) {
        return switch (stdio) {
            case PIPE, TERMINAL -> sink.accept(chunk.bytes(), 0, chunk.bytes().length);
            // DockerSession has the step itself merge.
            case NULL, MERGED -> OutputSink.Demand.MORE;
            case INHERIT -> {
                inherit(chunk, own);
                yield OutputSink.Demand.MORE;
            }
        };
    }

    @SuppressWarnings("resource") // the descriptor is the JVM's own: never closed
    private static void inherit(StepOutput.Chunk chunk, FileDescriptor own) {
        try {
            OutputStream stream = new FileOutputStream(own);
            stream.write(chunk.bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGTERM, the grace period, SIGKILL; last words are still handed over, unless there were too many already. */
    private void end() {
        if (ending.equals(Optional.of(Termination.OUTPUT_LIMIT))) {
            process.output().discard();
        }
        boolean cancelled = ending.equals(Optional.of(Termination.CANCELLED));
        process.container().signal(cancelled ? process.endedBy() : SandboxedProcess.SIGTERM);
        drain(exchange.grace());
        boolean gone = process.output().isEnded() && process.status().isPresent();
        if (!gone || process.container().hasLeftovers()) {
            process.container().close();
        }
        drain(LAST_WORDS);
    }

    private void drain(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!process.output().isDrained() && System.nanoTime() < deadline) {
            boolean unused = move(Math.min(LOOK_NANOS, Math.max(1, deadline - System.nanoTime())));
        }
    }

    private Completion complete() {
        ExitStatus status = awaitStatus();
        boolean leftovers = ending.isEmpty() && process.container().hasLeftovers();
        if (leftovers) {
            process.container().killLeftovers();
        }
        Termination termination = ending.orElseGet(() -> termination(status));
        process.finish();
        return new Completion(status, termination, leftovers ? Leftovers.ENDED : Leftovers.NONE);
    }

    private Termination termination(ExitStatus status) {
        if (process.wasDestroyed()) {
            return Termination.CANCELLED;
        }
        if (status.signal().isEmpty()) {
            return Termination.EXITED;
        }
        boolean memory = status.signal().getAsInt() == 9 && process.container().ranOutOfMemory();
        return memory ? Termination.MEMORY_LIMIT : Termination.SIGNALED;
    }

    /** The stream ends a moment before the engine knows the exit code. */
    private ExitStatus awaitStatus() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        long pause = 1;
        while (true) {
            Optional<ExitStatus> status = process.status();
            if (status.isPresent()) {
                return status.get();
            }
            if (System.nanoTime() > deadline) {
                throw new SandboxUnavailableException("docker", "the engine does not tell how the command ended", "");
            }
            sleep(pause);
            pause = Math.min(50, pause * 2);
            look(System.nanoTime());
            if (ending.isPresent()) {
                process.container().close();
            }
        }
    }

    private void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            interrupted = true;
        }
    }
}
