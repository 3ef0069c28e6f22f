package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class NativeArenaTest {
    @Test
    void textIsUtf8AndEndsWithNul() {
        String text = "/a?é\u20ac\ud83d\ude00";
        byte[] expected = (text + "\0").getBytes(StandardCharsets.UTF_8);

        try (NativeArena arena = new NativeArena()) {
            byte[] written = new byte[expected.length];
            NativeArena.copy(arena.string(text), written, 0, written.length);

            assertThat(written).isEqualTo(expected);
        }
    }

    @Test
    void textThatTheKernelWouldSeeAsAnotherIsRefused() {
        try (NativeArena arena = new NativeArena()) {
            assertThatThrownBy(() -> arena.string("a\0b")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> arena.string("a\ud800b")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> arena.string("\udc00")).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
