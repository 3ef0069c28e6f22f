package dev.sandbox.linux;

import java.util.concurrent.atomic.AtomicLong;

/** Values of {@link SpawnRequest#MARKER_VARIABLE}: unique on this machine, and alike at the beginning for all runs of this JVM. */
public final class RunMarker {
    /** What every marker of this JVM begins with. */
    static final String OF_THIS_JVM = RandomName.of(16) + "-";

    private static final AtomicLong NEXT = new AtomicLong();

    private RunMarker() {}

    /** One that no other run has. */
    public static String next() {
        return OF_THIS_JVM + NEXT.incrementAndGet();
    }
}
