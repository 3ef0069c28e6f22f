package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.linux.uapi.Architecture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bytes against their sources, by the assembler of each architecture. */
final class SignalHandlerCodeTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(Architecture.class)
    void theSourceAssemblesToTheseBytes(Architecture architecture) throws IOException {
        String name = switch (architecture) {
            case X86_64 -> "x86_64";
            case AARCH64 -> "aarch64";
        };
        Path tool = Path.of("/usr/bin", name + "-linux-gnu-as");
        assumeTrue(Files.isExecutable(tool), "needs " + tool);
        Path source = Path.of("src/main/asm", "signal-" + name + ".S").toAbsolutePath();
        Path object = folder.resolve("signal.o");
        Path code = folder.resolve("signal.bin");
        run(tool.toString(), "-o", object.toString(), source.toString());
        String objcopy = "/usr/bin/" + name + "-linux-gnu-objcopy";
        run(objcopy, "-O", "binary", "-j", ".text", object.toString(), code.toString());
        assertThat(SignalHandlerCode.of(architecture)).isEqualTo(Files.readAllBytes(code));
    }

    private static void run(String program, String... arguments) {
        Children.Outcome outcome = Children.run(Children.program(program, arguments));
        assertThat(outcome.code()).as(outcome.err()).isZero();
    }
}
