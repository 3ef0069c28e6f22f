package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntPredicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class PidClockTest {
    private static final int PID_MAX = 4_194_304;

    /** Its numbers may move on by half a round in eight seconds, which no test takes. */
    private static PidClock clock(Integer... lastPids) {
        Deque<Integer> given = new ArrayDeque<>(java.util.List.of(lastPids));
        return new PidClock(PID_MAX, 1, given::remove);
    }

    @Test
    void whatWasGivenSinceIsYounger() {
        PidClock clock = clock(1_000, 1_010);
        IntPredicate younger = clock.since(clock.start());
        assertThat(younger.test(1_001)).isTrue();
        assertThat(younger.test(1_010)).isTrue();
        assertThat(younger.test(999)).isFalse();
        assertThat(younger.test(1_011)).isFalse();
    }

    @Test
    void soItIsAroundTheEnd() {
        PidClock clock = clock(PID_MAX - 5, 310);
        IntPredicate younger = clock.since(clock.start());
        assertThat(younger.test(PID_MAX - 1)).isTrue();
        assertThat(younger.test(305)).isTrue();
        assertThat(younger.test(400)).isFalse();
    }

    /** Each look follows the one before, but all together they have gone around. */
    @Test
    void afterHalfARoundEveryNumberCounts() {
        PidClock clock = clock(300, 1_500_000, 3_000_000);
        PidClock.Moment start = clock.start();
        assertThat(clock.since(start).test(200)).isFalse();
        assertThat(clock.since(start).test(200)).isTrue();
    }

    @Test
    void afterALongTimeEveryNumberCounts() {
        Deque<Integer> given = new ArrayDeque<>(java.util.List.of(300, 310));
        // A round may take a nanosecond.
        PidClock clock = new PidClock(2, 2_000, given::remove);
        assertThat(clock.since(clock.start()).test(200)).isTrue();
    }

    @Test
    void whereTheKernelDoesNotTellEveryNumberCounts() {
        PidClock clock = new PidClock(PID_MAX, 1, () -> {
            throw new IOException("no proc");
        });
        assertThat(clock.since(clock.start()).test(5)).isTrue();
        assertThat(clock.since(clock.start()).test(5)).isTrue();
    }

    @Test
    void aStartMayBeALookThatWasJustTaken() {
        PidClock clock = clock(1_000, 1_020);
        PidClock.Moment first = clock.start();
        assertThat(clock.start()).isEqualTo(first);
        assertThat(clock.since(first).test(1_015)).isTrue();
    }

    @Property
    void whatLiesBetweenIsFoundHoweverTheNumbersGoAround(
            @ForAll @IntRange(min = 300, max = PID_MAX - 1) int first,
            @ForAll @IntRange(max = PID_MAX / 2 - 1) int given,
            @ForAll @IntRange(max = PID_MAX / 2 - 1) int one) {
        PidClock clock = clock(first, (first + given) % PID_MAX);
        int born = (first + Math.min(one, given)) % PID_MAX;
        assertThat(clock.since(clock.start()).test(born)).isTrue();
    }
}
