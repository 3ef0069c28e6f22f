package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Statx;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LibCTest {
    @TempDir
    Path directory = Path.of("/");

    @Test
    void theSixthArgumentArrives() throws Exception {
        Path file = Files.writeString(directory.resolve("f"), "12345");

        try (NativeArena arena = new NativeArena()) {
            long buffer = arena.allocate(Statx.SIZE);
            int result = RawSyscalls.host()
                    .statx(Fcntl.AT_FDCWD, arena.string(file.toString()), 0, Statx.STATX_SIZE, buffer);

            assertThat(result).isZero();
            assertThat(NativeArena.getLong(buffer + 40)).as("stx_size").isEqualTo(5);
        }
    }

    @Test
    void anErrnoIsKeptAndNegativeNumbersArriveAsTheyAre() {
        assertThat(RawSyscalls.host().close(-1)).isEqualTo(-Errno.EBADF.number());
        assertThat(RawSyscalls.host().read(-1, 0, 0)).isEqualTo(-Errno.EBADF.number());
    }

    @Test
    void everyFunctionIsTheCLibrarys() throws Exception {
        LibC libc = new LibC();
        Field[] functions = Arrays.stream(LibC.class.getDeclaredFields())
                .filter(field -> field.getType() == long.class)
                .toArray(Field[]::new);

        assertThat(functions).hasSizeGreaterThan(30);
        for (Field function : functions) {
            function.setAccessible(true);
            assertThat(function.getLong(libc)).as(function.getName()).isNotZero();
        }
    }
}
