package dev.sandbox.testkit;

import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.ExitStatus;
import dev.sandbox.domain.isolation.OutputSink;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.WindowSize;
import dev.sandbox.domain.result.Termination;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** A step that prints what it is told to print and ends as it is told to end. */
public final class FakeProcess implements SandboxedProcess {
    private String stdout = "";
    private String stderr = "";
    private Completion completion = new Completion(ExitStatus.exited(0), Termination.EXITED, Completion.Leftovers.NONE);
    private int closed;

    /** What it prints on standard output. */
    public FakeProcess printing(String text) {
        stdout = text;
        return this;
    }

    /** What it prints on standard error. */
    public FakeProcess complaining(String text) {
        stderr = text;
        return this;
    }

    /** How it ends. */
    public FakeProcess ending(ExitStatus status, Termination termination, Completion.Leftovers leftovers) {
        completion = new Completion(status, termination, leftovers);
        return this;
    }

    /** How often it was closed. */
    public int closed() {
        return closed;
    }

    @Override
    public long pid() {
        return 4711;
    }

    @Override
    public OutputStream stdin() {
        return OutputStream.nullOutputStream();
    }

    @Override
    public InputStream stdout() {
        return new ByteArrayInputStream(stdout.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public InputStream stderr() {
        return new ByteArrayInputStream(stderr.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Completion exchange(Exchange exchange) {
        move(stdout, exchange.stdout());
        move(stderr, exchange.stderr());
        return completion;
    }

    private static void move(String text, OutputSink sink) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0) {
            sink.accept(bytes, 0, bytes.length);
        }
    }

    @Override
    public Optional<ExitStatus> waitFor(Duration timeout) {
        return Optional.of(completion.status());
    }

    @Override
    public void resize(WindowSize size) {
        throw new IllegalStateException("it has no terminal");
    }

    @Override
    public void cancel(int signal) {}

    @Override
    public void signal(int signal) {}

    @Override
    public void destroyTree() {}

    @Override
    public void close() {
        closed++;
    }
}
