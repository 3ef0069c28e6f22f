package dev.sandbox.linux.spawn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.linux.Children;
import dev.sandbox.linux.RawSyscalls;
import dev.sandbox.linux.seccomp.InitFilter;
import dev.sandbox.linux.uapi.Architecture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real init of a real namespace, from the JVM's own file, under its filter. */
final class InitIT {
    private static final String GCC = "/usr/bin/gcc";
    private static final Path SOURCE = Path.of(System.getProperty("basedir", ""), "src/test/resources/spawn/init.c");
    private static final int NO_NAMESPACE = 77;

    @Test
    void itIsOutOfReachAndReapsTenThousandOrphansUntilItsPipeEnds(@TempDir Path folder) throws IOException {
        assumeTrue(Files.isExecutable(Path.of(GCC)), "needs gcc");
        String harness = folder.resolve("init").toString();
        Children.Outcome made = Children.run(Children.program(
                GCC, "-Wall", "-o", harness, SOURCE.toAbsolutePath().toString()));
        assertThat(made.code()).as(made.err()).isZero();
        Path filter = Files.write(
                folder.resolve("filter"),
                InitFilter.program(Architecture.host()).encode());
        int descriptor = InitFile.ofThisJvm().descriptor().number();
        // From a user namespace nobody may look into this process: there the same bytes lie in a file of the same mode.
        String file = RawSyscalls.host().geteuid() == 0
                ? "/proc/" + ProcessHandle.current().pid() + "/fd/" + descriptor
                : copy(folder.resolve("image")).toString();

        Children.Outcome outcome = Children.run(Children.program(harness, file, filter.toString(), "10000"));

        assumeTrue(outcome.code() != NO_NAMESPACE, "needs PID namespaces");
        assertThat(outcome.out().lines())
                .containsExactly(
                        "memory Permission denied",
                        "trace Operation not permitted",
                        "signal sent",
                        "file Permission denied",
                        "worker 0",
                        "init lives and has no child",
                        "stopped and continued, init lives",
                        "sleeper signal 9",
                        "init exit 0 signal 0");
    }

    private static Path copy(Path file) throws IOException {
        Files.write(file, InitImage.of(Architecture.host()));
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("--x--x--x"));
    }
}
