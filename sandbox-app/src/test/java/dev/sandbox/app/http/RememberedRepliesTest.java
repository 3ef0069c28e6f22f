package dev.sandbox.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RememberedRepliesTest {
    private static final Reply ANSWER = reply("answer");

    private long now;
    private final RememberedReplies remembered = new RememberedReplies(() -> now);

    private static Reply reply(String text) {
        return new Reply(200, Map.of("data", text), 0);
    }

    private static byte[] body(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void whatRanIsAnsweredAgain() {
        assertThat(remembered.begin("k", body("a"))).isEmpty();
        remembered.remember("k", ANSWER);
        assertThat(remembered.begin("k", body("a")))
                .hasValueSatisfying(again -> assertThat(again.body()).isEqualTo(ANSWER.body()));
    }

    @Test
    void whileItRunsAnotherOfTheKeyIsToldToComeAgain() {
        remembered.begin("k", body("a"));
        assertThatThrownBy(() -> remembered.begin("k", body("a"))).isInstanceOfSatisfying(Refusal.class, refusal -> {
            assertThat(refusal.status()).isEqualTo(409);
            assertThat(refusal.retryAfter()).isPositive();
        });
    }

    @Test
    void aKeyStandsForOneBody() {
        remembered.begin("k", body("a"));
        assertThatThrownBy(() -> remembered.begin("k", body("b")))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(422));
        remembered.remember("k", ANSWER);
        assertThatThrownBy(() -> remembered.begin("k", body("b"))).isInstanceOf(Refusal.class);
    }

    @Test
    void afterARefusalTheNextIsTheFirst() {
        remembered.begin("k", body("a"));
        remembered.forget("k");
        assertThat(remembered.begin("k", body("b"))).isEmpty();
    }

    @Test
    void itIsRememberedForItsTimeAndNoLonger() {
        remembered.begin("k", body("a"));
        remembered.remember("k", ANSWER);
        now = RememberedReplies.KEPT_FOR.minus(Duration.ofSeconds(1)).toNanos();
        assertThat(remembered.begin("k", body("a"))).isPresent();
        now = RememberedReplies.KEPT_FOR.plus(Duration.ofSeconds(1)).toNanos();
        assertThat(remembered.begin("k", body("a"))).isEmpty();
    }

    @Test
    void theOldestGoWhenThereAreTooManyAndWhatRunsStays() {
        remembered.begin("runs", body("a"));
        for (int i = 0; i <= RememberedReplies.MOST; i++) {
            remembered.begin("k" + i, body("a"));
            remembered.remember("k" + i, ANSWER);
        }
        assertThat(remembered.begin("k0", body("a"))).isEmpty();
        assertThat(remembered.begin("k" + RememberedReplies.MOST, body("a"))).isPresent();
        assertThatThrownBy(() -> remembered.begin("runs", body("a"))).isInstanceOf(Refusal.class);
    }

    @Test
    void theOldestGoWhenTheyAreTooLarge() {
        Reply large = reply("x".repeat(RememberedReplies.MOST_CHARACTERS / 2 + 1));
        for (String key : new String[] {"a", "b"}) {
            remembered.begin(key, body("x"));
            remembered.remember(key, large);
        }
        assertThat(remembered.begin("a", body("x"))).isEmpty();
        assertThat(remembered.begin("b", body("x"))).isPresent();
    }

    @Test
    void aResultThatIsTooLargeIsRememberedAsHavingRun() {
        remembered.begin("k", body("a"));
        remembered.remember("k", reply("x".repeat(RememberedReplies.MOST_CHARACTERS)));
        assertThat(remembered.begin("k", body("a")))
                .hasValueSatisfying(again -> assertThat(again.status()).isEqualTo(409));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "é", "a\tb"})
    void aKeyIsVisibleAscii(String key) {
        assertThatThrownBy(() -> remembered.begin(key, body("a")))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(400));
    }

    @Test
    void aKeyIsBounded() {
        assertThat(remembered.begin("x".repeat(128), body("a"))).isEmpty();
        assertThatThrownBy(() -> remembered.begin("x".repeat(129), body("a"))).isInstanceOf(Refusal.class);
    }
}
