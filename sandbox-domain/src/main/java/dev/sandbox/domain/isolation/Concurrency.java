package dev.sandbox.domain.isolation;

import java.time.Duration;

/**
 * How many steps of one sandbox may run at once, and what happens to one too many: it waits for its turn, first come first served,
 * and is refused when that has not come in time.
 *
 * @param most at least 1
 * @param patience how long a step waits; {@link Duration#ZERO} refuses at once
 */
public record Concurrency(int most, Duration patience) {
    public Concurrency {
        if (most < 1) {
            throw new IllegalArgumentException("most: " + most + " is not at least 1");
        }
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience: " + patience + " is negative");
        }
    }

    /** As many as the machine bears. */
    public static Concurrency unbounded() {
        return new Concurrency(Integer.MAX_VALUE, Duration.ZERO);
    }
}
