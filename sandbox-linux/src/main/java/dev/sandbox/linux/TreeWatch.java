package dev.sandbox.linux;

import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.result.LimitNotes;
import dev.sandbox.domain.result.Termination;
import java.time.Duration;
import java.util.Optional;

/**
 * Looks now and then at what a whole tree holds of memory, and at how many processes it has. A limit of the kernel binds each process
 * alone, or does not bind uid 0; what is too much together is found here. A control group would be exact, where one is delegated.
 */
final class TreeWatch {
    private static final Duration PAUSE = Duration.ofMillis(Poller.SLICE_MILLIS);

    private final NativeProcess process;
    private final Limits limits;
    private final boolean counts;
    private Deadline next = Deadline.after(Duration.ZERO);
    private long memory;
    private long processes;

    /**
     * What a tree uses.
     *
     * @param memory in bytes
     * @param processes that have not ended
     */
    record Use(long memory, int processes) {
        static final Use NONE = new Use(0, 0);
    }

    TreeWatch(NativeProcess process, Limits limits) {
        this.process = process;
        this.limits = limits;
        // Everybody else's are counted by the kernel.
        this.counts = limits.processes().isPresent() && RawSyscalls.host().getuid() == 0;
    }

    /** Looks, if it is time: what the run ends with when something is exceeded. */
    Optional<Termination> exceeded() {
        if ((limits.memory().isEmpty() && !counts) || !next.passed()) {
            return Optional.empty();
        }
        Use use = process.use(limits.memory());
        next = Deadline.after(PAUSE);
        memory = use.memory();
        processes = use.processes();
        if (limits.memory().isPresent() && memory > limits.memory().getAsLong()) {
            return Optional.of(Termination.MEMORY_LIMIT);
        }
        boolean many = counts && processes > limits.processes().getAsLong();
        return many ? Optional.of(Termination.SIGNALED) : Optional.empty();
    }

    /** For the result, after something was exceeded. */
    String note(Termination exceeded) {
        return exceeded == Termination.MEMORY_LIMIT
                ? LimitNotes.killedForMemory(limits.memory().orElseThrow(), memory)
                : LimitNotes.killedForProcesses(limits.processes().orElseThrow(), processes);
    }
}
