package dev.sandbox.app.service;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * What a client sent, read up to a number of bytes and for a limited time: one that drips in for ever would hold its thread.
 */
public final class BoundedInput {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final byte[] bytes;
    private final End end;

    private BoundedInput(ByteArrayOutputStream bytes, End end) {
        this.bytes = bytes.toByteArray();
        this.end = end;
    }

    /** Why no more was read. */
    public enum End {
        /** It is whole. */
        WHOLE,
        /** There is more than allowed. */
        TOO_LONG,
        /** It took too long. */
        TOO_SLOW
    }

    /** Reads it. A single read waits as long as the connection lets it. */
    public static BoundedInput read(InputStream in, int limit) throws IOException {
        long start = System.nanoTime();
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        int read;
        while ((read = in.read(buffer)) >= 0) {
            whole.write(buffer, 0, read);
            if (whole.size() > limit) {
                return new BoundedInput(whole, End.TOO_LONG);
            }
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                return new BoundedInput(whole, End.TOO_SLOW);
            }
        }
        return new BoundedInput(whole, End.WHOLE);
    }

    /** What came. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Why no more was read. */
    public End end() {
        return end;
    }
}
