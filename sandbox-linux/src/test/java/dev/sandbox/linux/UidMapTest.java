package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class UidMapTest {
    @Test
    void theOverflowUidIsNobodyWhereNoIdInsideIsThatNumber() {
        UidMap one = new UidMap(List.of("      1000       1000          1"), "65534");
        assertThat(one.isUnmapped(65534)).isTrue();
        assertThat(one.isUnmapped(1000)).isFalse();
        assertThat(one.isUnmapped(0)).as("shown as 0, so there is such an id").isFalse();
    }

    @Test
    void theOverflowUidIsARealAccountWhereItIsMapped() {
        assertThat(new UidMap(List.of("0 0 4294967295"), "65534").isUnmapped(65534))
                .isFalse();
        assertThat(new UidMap(List.of("0 1000 1", "1 100000 65536"), "65534").isUnmapped(65534))
                .isFalse();
        assertThat(new UidMap(List.of("0 1000 1", "1 100000 65533"), "65534").isUnmapped(65534))
                .isTrue();
    }

    @Test
    void theOverflowUidIsReadWhole() throws IOException {
        Process cat = new ProcessBuilder("cat", "/proc/sys/kernel/overflowuid").start();
        assertThat(UidMap.overflowUid())
                .isEqualTo(new String(cat.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
    }

    @Test
    void withoutProcNothingIsUnmapped() {
        assertThat(new UidMap(List.of(), "").isUnmapped(65534)).isFalse();
    }
}
