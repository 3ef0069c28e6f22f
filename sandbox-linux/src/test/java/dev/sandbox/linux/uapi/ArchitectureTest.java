package dev.sandbox.linux.uapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class ArchitectureTest {
    @Test
    void namesOfTheJvmAreUnderstood() {
        assertThat(Architecture.of("Linux", "amd64")).isEqualTo(Architecture.X86_64);
        assertThat(Architecture.of("Linux", "aarch64")).isEqualTo(Architecture.AARCH64);
    }

    @Test
    void othersAreRefusedByName() {
        assertThatThrownBy(() -> Architecture.of("Linux", "riscv64"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("riscv64");
        assertThatThrownBy(() -> Architecture.of("Mac OS X", "aarch64")).hasMessageContaining("Mac OS X");
    }
}
