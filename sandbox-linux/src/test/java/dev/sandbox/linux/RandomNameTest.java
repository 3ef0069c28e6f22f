package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RandomNameTest {
    @Test
    void namesAreHexadecimalAndNeverTheSame() {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            names.add(RandomName.of(16));
        }

        assertThat(names).hasSize(1000).allMatch(name -> name.matches("[0-9a-f]{32}"));
    }

    @Test
    void moreThanTheKernelGivesAtOnceIsRefused() {
        assertThatThrownBy(() -> RandomName.of(257)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RandomName.of(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
