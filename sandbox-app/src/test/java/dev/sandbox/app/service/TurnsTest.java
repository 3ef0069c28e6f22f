package dev.sandbox.app.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.problem.SandboxBusyException;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class TurnsTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    @Test
    void oneTooManyWaitsAndOneMoreIsRefusedAtOnce() {
        Turns turns = new Turns(1, 1, LONG);
        Turns.Turn first = turns.take();
        CompletableFuture<Turns.Turn> second = CompletableFuture.supplyAsync(turns::take);
        while (turns.waiting() == 0) {
            Thread.onSpinWait();
        }
        assertThatThrownBy(turns::take).isInstanceOf(SandboxBusyException.class);
        first.close();
        Turns.Turn taken = second.join();
        assertThat(turns.running()).isEqualTo(1);
        taken.close();
        assertThat(turns.running()).isZero();
        assertThat(turns.waiting()).isZero();
    }

    @Test
    void patienceEnds() {
        Turns turns = new Turns(1, 1, Duration.ofMillis(1));
        turns.take();
        assertThatThrownBy(turns::take).isInstanceOf(SandboxBusyException.class).hasMessageContaining("none of 1");
        assertThat(turns.waiting()).isZero();
    }

    @Test
    void aTurnIsGivenBackOnce() {
        Turns turns = new Turns(2, 0, Duration.ZERO);
        Turns.Turn turn = turns.take();
        turn.close();
        turn.close();
        assertThat(turns.running()).isZero();
    }

    @Test
    void closedTurnsAreTakenNoMore() {
        Turns turns = new Turns(2, 2, LONG);
        Turns.Turn running = turns.take();
        turns.close();
        assertThatThrownBy(turns::take).isInstanceOf(SandboxUnavailableException.class);
        assertThat(turns.awaitIdle(Duration.ofMillis(1))).isFalse();
        running.close();
        assertThat(turns.awaitIdle(LONG)).isTrue();
    }
}
