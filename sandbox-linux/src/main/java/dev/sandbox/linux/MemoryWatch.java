package dev.sandbox.linux;

import dev.sandbox.domain.result.LimitNotes;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Looks now and then at what a whole tree holds of memory. A limit of the kernel binds each process alone; many small ones
 * together are found here. A control group would be exact, where one is delegated.
 */
final class MemoryWatch {
    private static final Duration PAUSE = Duration.ofMillis(Poller.SLICE_MILLIS);

    private final NativeProcess process;
    private final OptionalLong limit;
    private Deadline next = Deadline.after(Duration.ZERO);
    private long peak;

    MemoryWatch(NativeProcess process, OptionalLong limit) {
        this.process = process;
        this.limit = limit;
    }

    /** Looks, if it is time. */
    boolean isExceeded() {
        if (limit.isEmpty() || !next.passed()) {
            return false;
        }
        peak = Math.max(peak, process.memory(limit.getAsLong()));
        next = Deadline.after(PAUSE);
        return peak > limit.getAsLong();
    }

    /** For the result, after it was exceeded. */
    String note() {
        return LimitNotes.killedForMemory(limit.orElseThrow(), peak);
    }
}
