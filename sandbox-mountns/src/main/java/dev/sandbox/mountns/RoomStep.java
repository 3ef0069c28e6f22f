package dev.sandbox.mountns;

import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.ExitStatus;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.WindowSize;
import dev.sandbox.domain.result.Termination;
import dev.sandbox.linux.NativeProcess;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * A step in a room, behind the shell that is its parent. A shell gives 128+N as its own exit code when signal N has ended the step, and
 * says so; an {@code exit 137} of the step's own it passes on in silence.
 */
final class RoomStep implements SandboxedProcess {
    private static final int SIGNAL_BASE = 128;
    private static final int LAST_SIGNAL = 64;
    /** SIGINT, SIGPIPE and, in bash, SIGTERM: of these no shell says anything, so that their codes are taken for them. */
    private static final Set<Integer> UNSAID = Set.of(2, 13, 15);

    private final NativeProcess shell;
    private final Answers answers;
    private boolean complained;
    private boolean closed;

    RoomStep(NativeProcess shell, Answers answers) {
        this.shell = shell;
        this.answers = answers;
    }

    private ExitStatus ofTheStep(ExitStatus status) {
        int signal = status.shellCode() - SIGNAL_BASE;
        boolean possible = status.signal().isEmpty() && signal >= 1 && signal <= LAST_SIGNAL;
        boolean killed = possible && (UNSAID.contains(signal) || shellComplained());
        return killed ? ExitStatus.signaled(signal) : status;
    }

    private synchronized boolean shellComplained() {
        if (!closed) {
            complained = answers.saidMoreAfter(StepScript.READY);
        }
        return complained;
    }

    @Override
    public Completion exchange(Exchange exchange) {
        Completion completion = shell.exchange(exchange);
        ExitStatus status = ofTheStep(completion.status());
        boolean onItsOwn = completion.termination() == Termination.EXITED;
        Termination termination =
                onItsOwn && status.signal().isPresent() ? Termination.SIGNALED : completion.termination();
        return new Completion(status, termination, completion.leftovers(), completion.notes());
    }

    @Override
    public Optional<ExitStatus> waitFor(Duration timeout) throws InterruptedException {
        return shell.waitFor(timeout).map(this::ofTheStep);
    }

    @Override
    public long pid() {
        return shell.pid();
    }

    @Override
    public OutputStream stdin() {
        return shell.stdin();
    }

    @Override
    public InputStream stdout() {
        return shell.stdout();
    }

    @Override
    public InputStream stderr() {
        return shell.stderr();
    }

    @Override
    public void resize(WindowSize size) {
        shell.resize(size);
    }

    @Override
    public void cancel() {
        shell.cancel();
    }

    @Override
    public void destroyTree() {
        shell.destroyTree();
    }

    @Override
    public void close() {
        shell.close();
        synchronized (this) {
            complained = shellComplained();
            closed = true;
            answers.close();
        }
    }
}
