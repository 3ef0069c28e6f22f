package dev.sandbox.linux.uapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The numbers against the kernel's own headers, as this machine has them. */
final class SyscallNumbersTest {
    private static final Pattern DEFINE =
            Pattern.compile("^#define __NR(?:3264)?_(\\w+)\\s+(\\d+)\\s*$", Pattern.MULTILINE);
    private static final Path GENERIC = Path.of("/usr/include/asm-generic/unistd.h");
    private static final List<Path> X86 =
            List.of(Path.of("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), Path.of("/usr/include/asm/unistd_64.h"));
    /** Newer than the headers of Debian 12. */
    private static final int NEWEST_OF_OLD_HEADERS = 450;

    private static Map<String, Integer> numbers(Path header) throws IOException {
        Map<String, Integer> numbers = new HashMap<>();
        Matcher define = DEFINE.matcher(Files.readString(header));
        while (define.find()) {
            numbers.put(define.group(1), Integer.valueOf(define.group(2)));
        }
        return numbers;
    }

    private static void check(Path header, Architecture architecture) throws IOException {
        Map<String, Integer> numbers = numbers(header);
        assertThat(numbers).hasSizeGreaterThan(250);
        for (SyscallNumbers call : SyscallNumbers.values()) {
            Integer known = numbers.get(call.id());
            if (known != null) {
                assertThat(call.on(architecture)).as("%s", call).isEqualTo(known);
            } else {
                assertThat(!call.isOn(architecture) || call.on(architecture) > NEWEST_OF_OLD_HEADERS)
                        .as("%s is in no header", call)
                        .isTrue();
            }
        }
    }

    @Test
    void numbersAreThoseOfTheKernelsHeaders() throws IOException {
        assumeTrue(Files.exists(GENERIC), "needs linux-libc-dev");
        check(GENERIC, Architecture.AARCH64);
        for (Path header : X86) {
            if (Files.exists(header)) {
                check(header, Architecture.X86_64);
            }
        }
    }
}
