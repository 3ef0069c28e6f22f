package dev.sandbox.app.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.linux.uapi.Architecture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The probe program is what its source says, and does what its source says. */
final class ProbeProgramTest {
    private static final Path SOURCES = Path.of(System.getProperty("basedir", ""), "src/main/probe");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Architecture.class)
    void itIsMadeFromTheSourceBesideIt(Architecture architecture) throws Exception {
        String name = architecture.name().toLowerCase(Locale.ROOT);
        String prefix = architecture == Architecture.host() ? "" : name + "-linux-gnu-";
        Path object = folder.resolve("object");
        Path program = folder.resolve("program");

        succeed(
                prefix + "as",
                "-o",
                object.toString(),
                SOURCES.resolve("probe-" + name + ".S").toString());
        succeed(prefix + "objcopy", "-O", "binary", object.toString(), program.toString());

        assertThat(ProbeProgram.of(architecture)).isEqualTo(Files.readAllBytes(program));
    }

    @Test
    void itReadsAFileByTheCallsThatAreSpelled() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "hello world");

        Ran ran = run("257", "-100", ":" + file, "0", ",", "0", "@0", "&0", "5", ",", "1", "1", "&0", "@1", ",");

        assertThat(ran).isEqualTo(new Ran(0, "hello"));
    }

    @Test
    void itEndsWithTheErrnoOfTheFirstCallThatFails() throws Exception {
        assertThat(run("257", "-100", ":/does/not/exist", "0", ",", "1", "1", ":unsaid", "6", ","))
                .isEqualTo(new Ran(2, ""));
    }

    @Test
    void itTakesBytesInHexadecimal() throws Exception {
        assertThat(run("1", "1", "%4f6b", "2", ",")).isEqualTo(new Ran(0, "Ok"));
    }

    private record Ran(int code, String out) {}

    private Ran run(String... words) throws IOException, InterruptedException {
        Path program = folder.resolve("probe");
        if (Files.notExists(program)) {
            Files.write(program, ProbeProgram.of(Architecture.host()));
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        }
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(words));
        Path out = folder.resolve("out");
        Process process =
                new ProcessBuilder(command).redirectOutput(out.toFile()).start();
        return new Ran(process.waitFor(), Files.readString(out));
    }

    private void succeed(String... command) throws IOException, InterruptedException {
        Path said = folder.resolve("said");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor())
                .as(() -> String.join(" ", command) + " " + said)
                .isZero();
    }
}
