package dev.sandbox.domain.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.policy.Limits;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ReceiptTest {
    @Test
    void theDigestIsMadeWhenItIsWantedAndOnce() {
        AtomicInteger asked = new AtomicInteger();
        Receipt receipt = new Receipt(
                () -> "digest " + asked.incrementAndGet(),
                "detail",
                Limits.builder().build(),
                Duration.ZERO);

        assertThat(receipt.backendDetail()).isEqualTo("detail");
        assertThat(asked).hasValue(0);
        assertThat(receipt.policyDigest()).isEqualTo("digest 1");
        assertThat(receipt.policyDigest()).isEqualTo("digest 1");
        assertThat(asked).hasValue(1);
    }

    @Test
    void receiptsOfTheSameRunAreEqual() {
        Limits limits = Limits.builder().build();
        Receipt one = new Receipt(() -> "a", "detail", limits, Duration.ZERO);

        assertThat(one).isEqualTo(new Receipt(() -> "a", "detail", limits, Duration.ZERO));
        assertThat(one).hasSameHashCodeAs(new Receipt(() -> "a", "detail", limits, Duration.ZERO));
        assertThat(one).isNotEqualTo(new Receipt(() -> "b", "detail", limits, Duration.ZERO));
        assertThat(one)
                .hasToString("Receipt[policyDigest=a, backendDetail=detail, limits=" + limits + ", preparation=PT0S]");
    }
}
