package dev.sandbox.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class QuantityTest {
    @ParameterizedTest
    @CsvSource({
        "30,30000",
        "30s,30000",
        "500ms,500",
        "5m,300000",
        "5min,300000",
        "2h,7200000",
        "1 S,1000",
        "' 7s ',7000",
        "9223372036854775807ms,9223372036854775807"
    })
    void aDurationIsANumberAndAUnit(String text, long millis) {
        assertThat(Quantity.duration(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s",
                "-1s",
                "+1s",
                "1.5s",
                "1d",
                "1 2s",
                "1e3",
                "0x10",
                "1s1",
                "٣s",
                "0",
                "0ms",
                "9223372036854775808",
                "9223372036854775807s"
            })
    void whatIsNoDurationIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.duration(text))
                .withMessageStartingWith("\"" + text + "\"");
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "12,12",
        "12b,12",
        "1k,1024",
        "1KiB,1024",
        "1kb,1000",
        "10MiB,10485760",
        "10m,10485760",
        "1MB,1000000",
        "1GiB,1073741824",
        "2g,2147483648",
        "9223372036854775807,9223372036854775807"
    })
    void aSizeIsANumberAndAUnit(String text, long bytes) {
        assertThat(Quantity.bytes(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "MiB", "-1", "1.5GiB", "1XB", "1 M B", "9223372036854775808", "9999999999GiB"})
    void whatIsNoSizeIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.bytes(text))
                .withMessageStartingWith("\"" + text + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"512", " 64 ", "0", "999999"})
    void memoryWithoutAUnitInWhichNothingRunsIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.memory(text))
                .withMessageContaining("unit")
                .withMessageStartingWith("\"" + text + "\"");
    }

    @ParameterizedTest
    @CsvSource({"512MiB,536870912", "512b,512", "1000000,1000000", "536870912,536870912"})
    void memoryWithAUnitOrEnoughIsTaken(String text, long bytes) {
        assertThat(Quantity.memory(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"010", "1000:010", "00", "0x10", "1000:", "-1", "+1"})
    void anIdentityIsDecimalWithoutLeadingZeros(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> RunAsOption.parse(text));
    }

    @Test
    void controlCharactersAreEscapedInJson() throws JsonProcessingException {
        String hostile = "a\u009b31mb\u0085\u007f\u202e\u001b[2Jé€";
        String json = ResultDocument.render(Map.of("command", hostile));
        assertThat(json).isEqualTo("{\"command\":\"a\\u009b31mb\\u0085\\u007F\\u202e\\u001B[2Jé€\"}");
        assertThat(ResultDocument.renderPretty(Map.of("command", hostile))).doesNotContain("\u009b", "\u0085");
        assertThat(new ObjectMapper().readTree(json).path("command").asText()).isEqualTo(hostile);
    }
}
