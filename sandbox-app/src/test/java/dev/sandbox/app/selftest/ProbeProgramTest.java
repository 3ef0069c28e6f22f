package dev.sandbox.app.selftest;

import static dev.sandbox.app.selftest.ProbeCalls.buffer;
import static dev.sandbox.app.selftest.ProbeCalls.bytes;
import static dev.sandbox.app.selftest.ProbeCalls.number;
import static dev.sandbox.app.selftest.ProbeCalls.result;
import static dev.sandbox.app.selftest.ProbeCalls.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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

        Ran ran = run(opening(file.toString())
                .call(SyscallNumbers.READ, result(0), buffer(), number(5))
                .call(SyscallNumbers.WRITE, number(1), buffer(), result(1)));

        assertThat(ran).isEqualTo(new Ran(0, "hello"));
    }

    @Test
    void itEndsWithTheErrnoOfTheFirstCallThatFails() throws Exception {
        assertThat(run(opening("/does/not/exist").call(SyscallNumbers.WRITE, number(1), text("unsaid"), number(6))))
                .isEqualTo(new Ran(2, ""));
    }

    @Test
    void itTakesBytesInHexadecimal() throws Exception {
        ProbeCalls calls = new ProbeCalls()
                .call(SyscallNumbers.WRITE, number(1), bytes("Ok".getBytes(StandardCharsets.US_ASCII)), number(2));

        assertThat(run(calls)).isEqualTo(new Ran(0, "Ok"));
    }

    private static ProbeCalls opening(String path) {
        return new ProbeCalls().call(SyscallNumbers.OPENAT, number(Fcntl.AT_FDCWD), text(path), number(0));
    }

    private record Ran(int code, String out) {}

    private Ran run(ProbeCalls calls) throws IOException, InterruptedException {
        Path program = folder.resolve("probe");
        if (Files.notExists(program)) {
            Files.write(program, ProbeProgram.of(Architecture.host()));
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        }
        List<String> command = calls.by(program.toString()).argv();
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
