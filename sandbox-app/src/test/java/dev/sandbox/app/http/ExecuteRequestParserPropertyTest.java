package dev.sandbox.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.app.service.StepOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class ExecuteRequestParserPropertyTest {
    private static final String WHOLE = "{\"command\":\"ls \\u00e9\",\"working_directory\":\".\",\"timeout\":2.5,"
            + "\"folder_guard\":{\"enabled\":true,\"read_paths\":[\"a\"],\"write_paths\":[],\"blocked_paths\":[],"
            + "\"blocked_write_paths\":[\"b\"]},\"extra_env\":{\"VAR_A\":\"1\"},\"policy\":{\"network\":\"none\"}}";

    private static boolean isReadOrRefused(byte[] body) {
        try {
            StepOrder order = ExecuteRequestParser.parse(body);
            return order.command() != null;
        } catch (Refusal refused) {
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.text()).isNotEmpty().doesNotContain("\n", "\0");
            return true;
        }
    }

    @Property(tries = 2000)
    void anyBytesAreReadOrRefused(@ForAll byte[] body) {
        assertThat(isReadOrRefused(body)).isTrue();
    }

    @Property(tries = 2000)
    void aWholeRequestWithSomeBytesChangedIsReadOrRefused(@ForAll("changes") List<Map.Entry<Integer, Byte>> changes) {
        byte[] body = WHOLE.getBytes(StandardCharsets.UTF_8);
        changes.forEach(change -> body[change.getKey() % body.length] = change.getValue());
        assertThat(isReadOrRefused(body)).isTrue();
    }

    @Property(tries = 2000)
    void wordsOfJsonInAnyOrderAreReadOrRefused(@ForAll("words") List<String> words) {
        assertThat(isReadOrRefused(String.join("", words).getBytes(StandardCharsets.UTF_8)))
                .isTrue();
    }

    @Property(tries = 500)
    void aTimeoutIsKeptToTheMillisecondOrRefused(@ForAll double seconds) {
        byte[] body = ("{\"command\":\"a\",\"timeout\":" + seconds + "}").getBytes(StandardCharsets.UTF_8);
        try {
            Duration time = ExecuteRequestParser.parse(body).timeout().orElseThrow();
            assertThat(time.isZero()).isEqualTo(seconds == 0);
            assertThat(time).isBetween(Duration.ZERO, Duration.ofSeconds(1_000_000_000));
        } catch (Refusal refused) {
            assertThat(!(seconds >= 0.0005 && seconds <= 1e9)).isTrue();
        }
    }

    @Property(tries = 500)
    void aMisspeltKeyIsNamedWithTheNearestKnownOne(@ForAll("keys") String key, @ForAll("letters") char letter) {
        String misspelt = key + letter;
        try {
            ExecuteRequestParser.parse(
                    ("{\"command\":\"a\",\"" + misspelt + "\":null}").getBytes(StandardCharsets.UTF_8));
            throw new AssertionError("read");
        } catch (Refusal refused) {
            assertThat(refused.text()).isEqualTo(misspelt + ": is not a key; did you mean " + key + "?");
        }
    }

    @Provide
    Arbitrary<List<Map.Entry<Integer, Byte>>> changes() {
        return Combinators.combine(Arbitraries.integers().between(0, 10_000), Arbitraries.bytes())
                .as(Map::entry)
                .list()
                .ofMinSize(1)
                .ofMaxSize(4);
    }

    @Provide
    Arbitrary<List<String>> words() {
        return Arbitraries.of(
                        "{",
                        "}",
                        "[",
                        "]",
                        ":",
                        ",",
                        "null",
                        "true",
                        "-1",
                        "1e400",
                        "0.0000001",
                        "\"command\"",
                        "\"timeout\"",
                        "\"folder_guard\"",
                        "\"policy\"",
                        "\"read_paths\"",
                        "\"\\ud800\"",
                        "\"ls\"",
                        "\"extra_env\"",
                        " ",
                        "\uFEFF",
                        "\"\\u0000\"")
                .list()
                .ofMaxSize(25);
    }

    @Provide
    Arbitrary<String> keys() {
        return Arbitraries.of("command", "working_directory", "timeout", "folder_guard", "extra_env", "policy");
    }

    @Provide
    Arbitrary<Character> letters() {
        return Arbitraries.chars().range('a', 'z');
    }
}
