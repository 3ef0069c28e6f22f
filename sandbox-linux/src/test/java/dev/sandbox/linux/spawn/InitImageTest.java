package dev.sandbox.linux.spawn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.linux.Children;
import dev.sandbox.linux.uapi.Architecture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bytes are those of the source; Debian: binutils and binutils-aarch64-linux-gnu. */
final class InitImageTest {
    private static final Path SOURCES = Path.of(System.getProperty("basedir", ""), "src/main/init");

    @ParameterizedTest
    @EnumSource
    void itIsMadeFromTheSourceBesideIt(Architecture architecture, @TempDir Path folder) throws IOException {
        String name = architecture.name().toLowerCase(Locale.ROOT);
        String prefix = "/usr/bin/" + (architecture == Architecture.host() ? "" : name + "-linux-gnu-");
        Path object = folder.resolve("object");
        Path program = folder.resolve("program");

        succeed(
                prefix + "as",
                "-o",
                object.toString(),
                SOURCES.resolve("init-" + name + ".S").toAbsolutePath().toString());
        succeed(prefix + "objcopy", "-O", "binary", object.toString(), program.toString());

        assertThat(InitImage.of(architecture)).isEqualTo(Files.readAllBytes(program));
    }

    private static void succeed(String program, String... arguments) {
        Children.Outcome outcome = Children.run(Children.program(program, arguments));
        assertThat(outcome.code()).as(outcome.err()).isZero();
    }
}
