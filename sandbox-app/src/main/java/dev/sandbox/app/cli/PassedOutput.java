package dev.sandbox.app.cli;

import dev.sandbox.domain.isolation.OutputSink;
import java.io.PrintStream;

/** Passes a stream on untouched, up to the policy's limit; the rest is dropped and the cut is told. */
final class PassedOutput implements OutputSink {
    private final PrintStream target;
    private long left;
    private long dropped;

    PassedOutput(PrintStream target, long limit) {
        this.target = target;
        this.left = limit;
    }

    /** A reader that went away ends the run, as SIGPIPE would. */
    @Override
    public Demand accept(byte[] buffer, int offset, int length) {
        int passed = (int) Math.min(length, left);
        target.write(buffer, offset, passed);
        target.flush();
        left -= passed;
        dropped += length - passed;
        return target.checkError() ? Demand.END_RUN : Demand.MORE;
    }

    void finish() {
        if (dropped > 0) {
            System.err.println("sandbox: " + dropped + " bytes over --max-output were left out");
        }
    }
}
