package dev.sandbox.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HostNamesTest {
    private static final HostNames NAMES = new HostNames("10.0.0.1", 8787, List.of("box.example", "other:99"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:8787",
                "LOCALHOST:8787",
                "127.0.0.1:8787",
                "[::1]:8787",
                "10.0.0.1:8787",
                "192.0.2.7:8787",
                "box.example",
                "box.example:8787",
                "other:99"
            })
    void theServersNamesAreServed(String host) {
        assertThat(NAMES.isOurs(host, "192.0.2.7")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "localhost:1",
                "evil.example:8787",
                "localhost.evil.example:8787",
                "evil.example",
                "127.0.0.1:8787:8787",
                "[::1]",
                "other",
                "192.0.2.8:8787",
                ":8787",
                "localhost:08787",
                "localhost:8787 "
            })
    void othersAreNot(String host) {
        assertThat(NAMES.isOurs(host, "192.0.2.7")).isFalse();
    }
}
