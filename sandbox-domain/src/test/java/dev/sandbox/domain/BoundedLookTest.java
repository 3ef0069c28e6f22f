package dev.sandbox.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class BoundedLookTest {
    private final CountDownLatch answer = new CountDownLatch(1);
    private final BoundedLook hasty = new BoundedLook(System::nanoTime, Duration.ofMillis(20));

    private String silentServer() {
        try {
            answer.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return "late";
    }

    @Test
    void whatIsFoundIsGivenAndWhatIsThrownIsThrown() {
        BoundedLook look = new BoundedLook(System::nanoTime, Duration.ofMinutes(1));
        assertThat(look.take(() -> "found")).isEqualTo("found");
        IllegalArgumentException failure = new IllegalArgumentException("bad");
        assertThatThrownBy(() -> look.take(() -> {
                    throw failure;
                }))
                .isSameAs(failure);
    }

    @Test
    void aLookThatDoesNotComeBackIsGivenUpAndSoManyAreTheLast() throws Exception {
        for (int i = 0; i < BoundedLook.MOST_LOST; i++) {
            assertThatThrownBy(() -> hasty.take(this::silentServer))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("takes longer than 0.02 s; nothing ran");
        }
        assertThatThrownBy(() -> hasty.take(() -> "never looked at"))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("32 earlier looks");
        answer.countDown();
        BoundedLook patient = new BoundedLook(System::nanoTime, Duration.ofMinutes(1));
        assertThat(patient.take(this::silentServer)).isEqualTo("late");
    }

    @Test
    void anInterruptIsSeenByWhoeverWaitsNext() {
        Thread.currentThread().interrupt();
        assertThat(new BoundedLook(System::nanoTime, Duration.ofMinutes(1)).take(() -> 1))
                .isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
    }
}
