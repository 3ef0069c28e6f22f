package dev.sandbox.linux;

import java.time.Duration;

/** A point of monotonic time, or never. */
final class Deadline {
    static final Deadline NEVER = new Deadline(0, true);

    private final long nanos;
    private final boolean never;

    private Deadline(long nanos, boolean never) {
        this.nanos = nanos;
        this.never = never;
    }

    /** So long from now; a duration of more than a century is never. */
    static Deadline after(Duration duration) {
        if (duration.compareTo(Duration.ofDays(36_500)) > 0) {
            return NEVER;
        }
        return new Deadline(System.nanoTime() + duration.toNanos(), false);
    }

    boolean passed() {
        return !never && System.nanoTime() - nanos >= 0;
    }

    /** The time left for poll(2): at most {@code most}, rounded up so that it does not spin at the end. */
    int millisLeft(int most) {
        if (never) {
            return most;
        }
        long left = nanos - System.nanoTime();
        return left <= 0 ? 0 : (int) Math.min(most, left / 1_000_000 + 1);
    }
}
