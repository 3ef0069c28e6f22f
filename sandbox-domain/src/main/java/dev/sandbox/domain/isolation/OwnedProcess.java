package dev.sandbox.domain.isolation;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A process that owns something which must be let go when it has ended; once, at {@link #close}. */
public final class OwnedProcess implements SandboxedProcess {
    private final SandboxedProcess process;
    private final Runnable release;
    private final AtomicBoolean released = new AtomicBoolean();

    /** Closing the result closes {@code process}, then runs {@code release}, whatever came of it. */
    public OwnedProcess(SandboxedProcess process, Runnable release) {
        this.process = process;
        this.release = release;
    }

    /** True when {@link #close} has let go. */
    public boolean isClosed() {
        return released.get();
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public OutputStream stdin() {
        return process.stdin();
    }

    @Override
    public InputStream stdout() {
        return process.stdout();
    }

    @Override
    public InputStream stderr() {
        return process.stderr();
    }

    @Override
    public Completion exchange(Exchange exchange) {
        return process.exchange(exchange);
    }

    @Override
    public Optional<ExitStatus> waitFor(Duration timeout) throws InterruptedException {
        return process.waitFor(timeout);
    }

    @Override
    public void resize(WindowSize size) {
        process.resize(size);
    }

    @Override
    public void cancel(int signal) {
        process.cancel(signal);
    }

    @Override
    public void signal(int signal) {
        process.signal(signal);
    }

    @Override
    public void destroyTree() {
        process.destroyTree();
    }

    @Override
    public void close() {
        try {
            process.close();
        } finally {
            if (released.compareAndSet(false, true)) {
                release.run();
            }
        }
    }
}
