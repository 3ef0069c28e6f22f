package dev.sandbox.docker;

import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.ExitStatus;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.isolation.WindowSize;
import dev.sandbox.domain.problem.CommandInvalidException;
import dev.sandbox.domain.problem.CommandNotStartedException;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.InputFeed;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A command in a container. */
final class ContainerProcess implements SandboxedProcess {
    /** How often the engine is asked for the process id; output, or its end, comes first when the command is quick. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long FIRST_LOOK_MILLIS = 1;
    private static final long LAST_LOOK_MILLIS = 50;
    private static final ExitStatus KILLED = ExitStatus.signaled(9);

    /** Told once of each command's end. */
    interface End {
        /** Takes the container back, and says what is to be told of the command. */
        Optional<String> of(ContainerProcess process, WarmContainer container);
    }

    private final Engine engine;
    private final WarmContainer container;
    private final String exec;
    private final StepRequest step;
    private final StepInput input;
    private final EngineConnection stream;
    private final StepOutput output = new StepOutput();
    private final End onEnd;
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile boolean destroyed;
    private volatile boolean stdinTaken;
    private volatile int endedBy = SIGTERM;
    private volatile long pid;
    private volatile @Nullable ExecState end;
    private volatile Optional<String> note = Optional.empty();

    private ContainerProcess(
            Engine engine,
            WarmContainer container,
            String exec,
            StepRequest step,
            StepInput input,
            EngineConnection stream,
            End onEnd) {
        this.engine = engine;
        this.container = container;
        this.exec = exec;
        this.step = step;
        this.input = input;
        this.stream = stream;
        this.onEnd = onEnd;
    }

    /** Starts it, and returns when it runs. */
    static ContainerProcess start(
            Engine engine, WarmContainer container, ExecRequest request, StepRequest step, StepInput input, End onEnd) {
        ContainerProcess process;
        try {
            String exec = engine.createExec(container.id(), request);
            EngineConnection stream = engine.startExec(exec, request);
            process = new ContainerProcess(engine, container, exec, step, input, stream, onEnd);
        } catch (SandboxUnavailableException e) {
            container.close(); // whether it is the container or the engine: not fit for the next command
            throw e;
        }
        process.begin();
        return process;
    }

    private void begin() {
        boolean multiplexed = step.stdout() != Stdio.TERMINAL;
        Thread reader = new Thread(new FrameReader(stream.output(), multiplexed, output), "sandbox-docker-" + exec);
        reader.setDaemon(true);
        reader.start();
        try {
            ExecState state = awaitStart();
            pid = state.pid();
            if (pid == 0) {
                throw notStarted();
            }
        } catch (RuntimeException e) {
            finish();
            throw e;
        }
    }

    /** An engine that could not start it says so with no process id and an exit code. */
    private ExecState awaitStart() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    output.awaitNews(LOOK_NANOS);
                } catch (InterruptedException e) {
                    interrupted = true; // the exchange ends it
                }
                boolean over = output.isEnded();
                ExecState state = look();
                if (state.pid() != 0 || over) {
                    return state;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What the engine says now; what it said last, once the command has ended. */
    private ExecState look() {
        if (end == null) {
            ExecState state = engine.execState(exec);
            if (state.running() || state.pid() == 0) {
                return state;
            }
            end = state;
        }
        return end;
    }

    private RuntimeException notStarted() {
        String said = output.peekText();
        String program = step.command().program();
        if (said.contains("executable file not found") || said.contains("no such file or directory")) {
            return said.contains("chdir")
                    ? failed(said)
                    : CommandNotStartedException.notFound(program, "not found in the image");
        }
        // The second is containerd's own limit, of 4 MiB a message.
        if (said.contains("argument list too long") || said.contains("exceed maximum message size")) {
            return new CommandInvalidException("the command and its environment are longer than Linux takes together;"
                    + " hand data over in a file or on standard input");
        }
        if (said.contains("permission denied")
                || said.contains("exec format error")
                || said.contains("is a directory")) {
            return CommandNotStartedException.notExecutable(program, "cannot be executed in the image");
        }
        return failed(said);
    }

    private static SandboxUnavailableException failed(String said) {
        return new SandboxUnavailableException("docker", "the command could not be started: " + said.strip(), "");
    }

    @Override
    public long pid() {
        return pid;
    }

    @Override
    public OutputStream stdin() {
        stdinTaken = true;
        return input.pipe().map(BytePipe::sink).orElseGet(OutputStream::nullOutputStream);
    }

    @Override
    public InputStream stdout() {
        return output.stream(StepOutput.Channel.STDOUT);
    }

    @Override
    public InputStream stderr() {
        return output.stream(StepOutput.Channel.STDERR);
    }

    @Override
    public Completion exchange(Exchange exchange) {
        Optional<InputFeed> feed = exchange.input().flatMap(this::feed);
        if (!stdinTaken) {
            input.pipe().ifPresent(BytePipe::end);
        }
        try {
            Completion completion = new ExchangeLoop(this, exchange).run();
            Completion told =
                    feed.flatMap(InputFeed::failure).map(completion::withNote).orElse(completion);
            return note.map(told::withNote).orElse(told);
        } catch (RuntimeException | Error e) {
            // A sink threw, or the engine is gone.
            try {
                close();
            } catch (SandboxUnavailableException gone) {
                e.addSuppressed(gone);
            }
            throw e;
        }
    }

    private Optional<InputFeed> feed(InputStream source) {
        stdinTaken = true;
        return input.pipe().map(pipe -> InputFeed.start(source, pipe.sink()));
    }

    @Override
    public Optional<ExitStatus> waitFor(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        long pause = FIRST_LOOK_MILLIS;
        while (true) {
            Optional<ExitStatus> status = status();
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (status.isPresent() || left <= 0) {
                return status;
            }
            TimeUnit.MILLISECONDS.sleep(Math.min(pause, left));
            pause = Math.min(pause * 2, LAST_LOOK_MILLIS);
        }
    }

    /** Its end, if it came. */
    Optional<ExitStatus> status() {
        if (container.hasEnded()) {
            return Optional.of(lastKnown());
        }
        ExecState state = look();
        return state.running() ? Optional.empty() : Optional.of(state.status());
    }

    /** After its container was killed: as the engine still tells it, or killed. */
    private ExitStatus lastKnown() {
        try {
            ExecState state = look();
            return state.running() ? KILLED : state.status();
        } catch (SandboxUnavailableException gone) {
            return KILLED;
        }
    }

    @Override
    public void resize(WindowSize size) {
        if (step.stdin() != Stdio.TERMINAL) {
            throw new IllegalStateException("the step has no terminal");
        }
        try {
            engine.resize(exec, size);
        } catch (SandboxUnavailableException e) {
            if (status().isEmpty()) {
                throw e;
            }
        }
    }

    @Override
    public void cancel(int signal) {
        endedBy = signal;
        cancelled.set(true);
        output.wake();
    }

    @Override
    public void signal(int signal) {
        if (!over.get()) {
            container.signal(signal);
        }
    }

    /** What a cancelled command is to end by. */
    int endedBy() {
        return endedBy;
    }

    boolean isCancelled() {
        return cancelled.get();
    }

    @Override
    public void destroyTree() {
        if (!over.get()) {
            destroyed = true;
            container.close();
        }
    }

    boolean wasDestroyed() {
        return destroyed;
    }

    WarmContainer container() {
        return container;
    }

    StepOutput output() {
        return output;
    }

    StepRequest step() {
        return step;
    }

    /** Gives the container back, once. */
    void finish() {
        if (over.compareAndSet(false, true)) {
            input.pipe().ifPresent(BytePipe::end);
            output.discard();
            stream.close();
            note = onEnd.of(this, container);
        }
    }

    @Override
    public void close() {
        if (over.get()) {
            return;
        }
        try {
            if (status().isEmpty()) {
                container.close();
            } else if (container.hasLeftovers()) {
                container.killLeftovers();
            }
        } catch (SandboxUnavailableException gone) {
            container.close();
        } finally {
            finish();
        }
    }
}
