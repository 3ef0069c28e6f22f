package dev.sandbox.landlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.Termination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class LimitsIT {
    private static final long MIB = 1 << 20;

    @TempDir
    private Path folder;

    private Fixture fixture;

    @BeforeEach
    void makeFixture() throws IOException {
        fixture = new Fixture(Files.createDirectory(folder.resolve("base")));
    }

    private ExecutionResult run(Command command, UnaryOperator<Limits.Builder> limits) {
        Limits.Builder builder = limits.apply(Limits.builder().timeout(Duration.ofMinutes(2)));
        return fixture.sandbox()
                .run(fixture.policy(policy -> policy.addWritePaths("out").limits(builder.build())), command);
    }

    private ExecutionResult run(String command, UnaryOperator<Limits.Builder> limits) {
        return run(Command.shell(command), limits);
    }

    @Test
    void fileThatGrowsTooLargeIsAnsweredByASignalAndSaysSo() throws IOException {
        ExecutionResult result =
                run(Command.of("head", "-c", "3000000", "/dev/zero"), limits -> limits.fileSize(2 * MIB));
        assertThat(result.exitCode()).as("a pipe is no file").isZero();

        result = run("exec head -c 3000000 /dev/zero > out/f", limits -> limits.fileSize(2 * MIB));

        assertThat(result.termination()).isEqualTo(Termination.SIGNALED);
        assertThat(result.exitCode()).isEqualTo(128 + 25);
        assertThat(result.notes()).contains("killed: file size limit 2MiB");
        assertThat(fixture.path("out/f")).hasSize(2 * MIB);
    }

    @Test
    void processHasNoMoreOpenFilesThanAllowed() {
        ExecutionResult result = run(
                "ulimit -n; ulimit -Hn; ulimit -n 64; i=0; bash -c 'for i in $(seq 40); do exec {f}</dev/null; done'",
                limits -> limits.openFiles(32));

        assertThat(result.stdout()).isEqualTo("32\n32\n");
        assertThat(result.exitCode()).isNotZero();
        assertThat(result.notes()).contains("probably reached: open files limit 32");
    }

    @Test
    void processGetsNoMoreMemoryThanAllowed() {
        String most = "head -c 200000000 /dev/zero | tail -c 200000000 | wc -c";

        assertThat(run(most, limits -> limits.memory(512 * MIB)).stdout().trim())
                .isEqualTo("200000000");
        ExecutionResult result = run(most, limits -> limits.memory(64 * MIB));

        assertThat(result.stdout().trim()).isEqualTo("0");
        assertThat(result.notes()).contains("probably reached: memory limit 64MiB");
    }

    @Test
    void manySmallProcessesTogetherOverTheMemoryLimitAreKilled() {
        String four =
                "for i in 1 2 3 4; do { head -c 50000000 /dev/zero; sleep 1000; } | tail -c 50000000 & done; wait";

        ExecutionResult result = run(four, limits -> limits.memory(100 * MIB));

        assertThat(result.termination()).isEqualTo(Termination.MEMORY_LIMIT);
        assertThat(result.notes()).anyMatch(note -> note.matches("killed: memory limit 100MiB \\(peak \\d+MiB\\)"));
    }

    @Test
    void forkBombEndsAtTheLimitOnProcesses() {
        assumeTrue(!isRoot(), "needs an ordinary user: the kernel does not bound uid 0");

        ExecutionResult result = run(
                "i=0; while [ $i -lt 200 ]; do sleep 1000 & i=$((i + 1)); done; echo all",
                limits -> limits.processes(20));

        assertThat(result.stdout()).isEmpty();
        assertThat(result.notes()).contains("probably reached: process limit 20");
    }

    @Test
    void aForkBombOfRootWhomTheKernelDoesNotCountIsKilled() {
        assumeTrue(isRoot(), "needs root");

        ExecutionResult result = run(
                "i=0; while [ $i -lt 200 ]; do sleep 1000 & i=$((i + 1)); done; wait; echo all",
                limits -> limits.processes(20));

        assertThat(result.stdout()).isEmpty();
        assertThat(result.notes())
                .anyMatch(note -> note.matches("killed: process limit 20 \\(\\d+ processes and threads\\)"));
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    @Test
    void jvmKeepsItsOwnLimits() throws IOException {
        String before = Files.readString(Path.of("/proc/self/limits"));
        run("true", limits -> limits.openFiles(32).memory(64 * MIB).fileSize(MIB));
        assertThat(Files.readString(Path.of("/proc/self/limits"))).isEqualTo(before);
    }

    @Test
    void aLimitChangesNothingElse() {
        for (Command command : new Command[] {
            Command.of("sh", "-c", "echo $0 $PWD; env | sort | grep -v SANDBOX_RUN_ID; exit 7"),
            Command.of("no-such-program"),
            Command.of("./no-such-program"),
            Command.of("/etc/passwd"),
            Command.of("/bin/kill", "-9", "0")
        }) {
            ExecutionResult free = run(command, limits -> limits);
            ExecutionResult limited = run(command, limits -> limits.openFiles(32));
            assertThat(limited.stdout()).isEqualTo(free.stdout());
            assertThat(limited.stderr()).isEqualTo(free.stderr());
            assertThat(limited.exitCode()).isEqualTo(free.exitCode());
            assertThat(limited.signal()).isEqualTo(free.signal());
        }
    }

    @Test
    void moreThanThisProcessMayHaveItselfIsNoError() {
        assertThat(run("true", limits -> limits.openFiles(Long.MAX_VALUE).memory(Long.MAX_VALUE))
                        .exitCode())
                .isZero();
    }
}
