package dev.sandbox.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OptionFixTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "read_paths: [/a] | --read /a",
                "host_devices: [shm] | --host-device shm",
                "read_paths: [/a, /b] | read_paths: [/a, /b]",
                "home: inherit | home: inherit",
            })
    void aGrantIsToldAsAnOption(String key, String option) {
        assertThat(OptionFix.of(key)).isEqualTo(option);
    }
}
