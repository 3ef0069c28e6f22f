package dev.sandbox.linux.spawn;

import java.time.Duration;

/** A child hung before it executed its program, and was killed. Nothing of the command ran. */
public final class SpawnTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SpawnTimeoutException(String clone, String where, Duration timeout, int lost) {
        super(clone + " did not come to its end in " + timeout.toMillis() + " ms"
                + (where.isEmpty() ? "" : ", it stood at: " + where)
                + (lost == 0
                        ? ""
                        : "; the kernel does not let go of it, so a thread of this JVM waits for it (" + lost
                                + " such threads now)"));
    }
}
