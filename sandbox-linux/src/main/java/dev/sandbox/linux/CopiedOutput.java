package dev.sandbox.linux;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/** One of a step's outputs, copied from a pipe to one of the JVM's own on a thread of its own. */
final class CopiedOutput implements Runnable {
    private static final long PATIENCE_MILLIS = 5000;

    private final PipeInputStream source;
    private final java.io.FileDescriptor target;
    private final Thread thread = new Thread(this, "sandbox-output");
    private volatile Optional<String> failure = Optional.empty();

    private CopiedOutput(PipeInputStream source, java.io.FileDescriptor target) {
        this.source = source;
        this.target = target;
    }

    /** Begins. */
    static CopiedOutput start(RawSyscalls syscalls, FileDescriptor source, int own) {
        java.io.FileDescriptor target = own == 1 ? java.io.FileDescriptor.out : java.io.FileDescriptor.err;
        CopiedOutput output = new CopiedOutput(new PipeInputStream(syscalls, source), target);
        output.thread.setDaemon(true);
        output.thread.start();
        return output;
    }

    /** What went wrong with the JVM's own stream, so that it got less than the step has printed. */
    Optional<String> failure() {
        return failure;
    }

    @Override
    @SuppressWarnings("resource") // the descriptor is the JVM's own: never closed
    public void run() {
        OutputStream own = new FileOutputStream(target);
        byte[] chunk = new byte[64 * 1024];
        try (InputStream open = source) {
            for (int length = open.read(chunk); length > 0; length = open.read(chunk)) {
                write(own, chunk, length);
            }
        } catch (IOException e) {
            // The step sees a pipe that nobody reads, as it would have seen the error itself.
            return;
        }
    }

    private void write(OutputStream own, byte[] chunk, int length) throws IOException {
        try {
            own.write(chunk, 0, length);
        } catch (IOException e) {
            failure = Optional.of("output ended early: " + e.getMessage());
            throw e;
        }
    }

    /** Once nobody writes to the pipe any more: returns when all of it has been handed on, or that takes too long. */
    void finish() {
        boolean interrupted = false;
        try {
            thread.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        source.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
