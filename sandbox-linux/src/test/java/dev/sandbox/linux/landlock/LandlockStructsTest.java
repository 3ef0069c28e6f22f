package dev.sandbox.linux.landlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class LandlockStructsTest {
    private static final Path HEADER = Path.of("/usr/include/linux/landlock.h");

    @Test
    void sizesGrowWithTheAbi() {
        assertThat(LandlockStructs.rulesetSize(LandlockAbi.of(3))).isEqualTo(8);
        assertThat(LandlockStructs.rulesetSize(LandlockAbi.of(4))).isEqualTo(16);
        assertThat(LandlockStructs.rulesetSize(LandlockAbi.of(6))).isEqualTo(24);
        assertThat(LandlockStructs.PATH_BENEATH_SIZE).isEqualTo(12);
    }

    /** LANDLOCK_ACCESS_FS_RESOLVE_UNIX of Linux 7.1; ABI 8 of Linux 7.0 restricts nothing more than 7. */
    @Test
    void unixSocketsAreRestrictedFromAbi9On() {
        assertThat(FsRight.of(LandlockAbi.of(8))).isEqualTo(FsRight.of(LandlockAbi.of(7)));
        assertThat(FsRight.bits(FsRight.of(LandlockAbi.of(9)))).isEqualTo((1L << 17) - 1);
        assertThat(FsRight.RESOLVE_UNIX.bit()).isEqualTo(1L << 16);
        assertThat(LandlockStructs.rulesetSize(LandlockAbi.of(9))).isEqualTo(24);
    }

    @Test
    void bitsAreThoseOfTheKernelsHeader() throws Exception {
        assumeTrue(Files.exists(HEADER), "needs linux/landlock.h (Debian: linux-libc-dev)");
        String header = Files.readString(HEADER, StandardCharsets.UTF_8);
        assertThat(compared(
                        header,
                        "LANDLOCK_ACCESS_FS_",
                        name -> FsRight.valueOf(name).bit()))
                .isGreaterThanOrEqualTo(13);
        // Headers before Linux 6.7 and 6.12 do not have these.
        compared(header, "LANDLOCK_ACCESS_NET_", name -> NetRight.valueOf(name).bit());
        compared(header, "LANDLOCK_SCOPE_", name -> Scope.valueOf(name).bit());
    }

    private static int compared(String header, String prefix, ToLongFunction<String> bit) {
        Matcher define = Pattern.compile("#define " + prefix + "([A-Z_]+)\\s+\\(1ULL << (\\d+)\\)")
                .matcher(header);
        int found = 0;
        while (define.find()) {
            assertThat(bit.applyAsLong(define.group(1))).isEqualTo(1L << Integer.parseInt(define.group(2)));
            found++;
        }
        return found;
    }
}
