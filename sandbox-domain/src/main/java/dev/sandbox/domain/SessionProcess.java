package dev.sandbox.domain;

import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.ExitStatus;
import dev.sandbox.domain.isolation.SandboxedProcess;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;

/** A process that owns its session: closing the one closes the other. */
final class SessionProcess implements SandboxedProcess {
    private final SandboxSession session;
    private final SandboxedProcess process;

    SessionProcess(SandboxSession session, SandboxedProcess process) {
        this.session = session;
        this.process = process;
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
    public void cancel() {
        process.cancel();
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
            session.close();
        }
    }
}
