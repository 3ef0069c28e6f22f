package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.Termination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Children that try to outlive their run, on every backend: each run ends, says how, and nothing is left. */
@Timeout(600)
@Tag("alone")
final class ZooIT {
    private static final String ENDED = "processes that outlived the command were ended";

    @TempDir
    private Path folder;

    /** An argument that no other process of the machine has; the shell takes it as $0. */
    private final String token = "zoo-" + UUID.randomUUID();

    private final Set<String> before = Leftovers.temporary();

    private ExecutionResult run(BackendName backend, String text) {
        ExecutionResult result;
        try (SandboxSession session = Steps.open(
                backend, folder, limits -> limits.timeout(Duration.ofMinutes(2)).output(1 << 20))) {
            result = run(session, text);
        }
        return result;
    }

    private ExecutionResult runUntilTimeout(BackendName backend, String text) {
        try (SandboxSession session = Steps.open(backend, folder, limits -> limits.timeout(Duration.ofSeconds(2)))) {
            return run(session, text);
        }
    }

    private ExecutionResult run(SandboxSession session, String text) {
        session.run(Command.of("/bin/true"));
        long descriptors = Steps.descriptors();
        ExecutionResult result = session.run(Command.of("/bin/sh", "-c", text, token));
        assertThat(Steps.running(token)).as("nothing survives").isEmpty();
        assertThat(Steps.descriptors()).isEqualTo(descriptors);
        assertThat(Steps.mounts(folder)).isEmpty();
        return result;
    }

    /** What a closed session has to have taken with it; a container's end, and with it a thread's, is the engine's to tell. */
    @AfterEach
    void nothingIsLeft() throws IOException {
        Leftovers.assertGone("threads of the sandbox", Leftovers::threads);
        Leftovers.assertGone("containers", Leftovers::containers);
        Leftovers.assertGone("temporary files", () -> {
            Set<String> now = Leftovers.temporary();
            now.removeAll(before);
            return now;
        });
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .as("in the step's folder")
                    .isSubsetOf(".cache", ".local", ".tmp", ".home");
        }
    }

    private static void assertExited(ExecutionResult result, int code) {
        assertThat(result.termination()).as("%s", result).isEqualTo(Termination.EXITED);
        assertThat(result.exitCode()).isEqualTo(code);
    }

    private static void assertTimedOut(ExecutionResult result) {
        assertThat(result.termination()).as("%s", result).isEqualTo(Termination.TIMED_OUT);
        assertThat(result.exitCode()).isEqualTo(124);
        assertThat(result.stderr()).endsWith("TIMEOUT: Command killed after 2 seconds\n");
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void sigtermIgnorer(BackendName backend) {
        ExecutionResult result = runUntilTimeout(backend, "trap '' TERM; echo kept; while :; do sleep 1; done");
        assertTimedOut(result);
        assertThat(result.stdout()).as("the output so far").isEqualTo("kept\n");
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void daemonInASessionOfItsOwn(BackendName backend) {
        ExecutionResult result = run(
                backend,
                "setsid sh -c 'while :; do sleep 1; done' \"$0\" </dev/null >/dev/null 2>&1 & sleep 0.2; exit 3");
        assertExited(result, 3);
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void daemonThatForkedTwice(BackendName backend) {
        ExecutionResult result = run(
                backend,
                "( setsid sh -c 'sh -c \"while :; do sleep 1; done\" \"$0\" &' \"$0\" ) </dev/null >/dev/null 2>&1; exit 4");
        assertExited(result, 4);
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void grandchildThatHoldsThePipe(BackendName backend) {
        ExecutionResult result = run(backend, "sh -c 'sh -c \"while :; do sleep 1; done\" \"$0\" &' \"$0\"; echo said");
        assertExited(result, 0);
        assertThat(result.stdout()).isEqualTo("said\n");
        if (backend.equals(BackendName.LANDLOCK)) {
            // With a PID namespace the kernel may have been faster, and then there was nothing left to end.
            assertThat(result.notes()).contains(ENDED);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void closerOfItsOutputs(BackendName backend) {
        assertExited(run(backend, "exec >&- 2>&-; sleep 0.2; exit 5"), 5);
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void stoppedCommand(BackendName backend) {
        assertTimedOut(runUntilTimeout(backend, "kill -STOP $$; echo never"));
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void stoppedDaemon(BackendName backend) {
        assertExited(run(backend, "setsid sh -c 'kill -STOP $$; :' \"$0\" & sleep 0.2; exit 6"), 6);
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void makerOfZombies(BackendName backend) {
        assertExited(run(backend, "i=0; while [ $i -lt 100 ]; do true & i=$((i + 1)); done; exec sleep 0.1"), 0);
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void printerOfAGigabyte(BackendName backend) {
        ExecutionResult result =
                run(backend, "echo first; head -c 1000000000 /dev/zero | tr '\\0' 'x'; echo; echo last");
        assertExited(result, 0);
        assertThat(result.stdoutTruncated()).isTrue();
        assertThat(result.stdout()).startsWith("first\n").endsWith("x\nlast\n").hasSizeLessThan(1_100_000);
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void killerOfItself(BackendName backend) {
        ExecutionResult result = run(backend, "kill -9 $$");
        assertThat(result.exitCode()).isEqualTo(137);
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void burnerOfProcessorTime(BackendName backend) {
        try (SandboxSession session = Steps.open(backend, folder, limits -> limits.cpuTime(Duration.ofSeconds(1)))) {
            ExecutionResult result = run(session, "while :; do :; done");
            assertThat(result.termination()).as("%s", result).isEqualTo(Termination.SIGNALED);
            assertThat(result.exitCode()).isEqualTo(128 + 24);
            assertThat(result.notes()).contains("killed: cpu time limit 1s");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void forkBombUnderALimitOnProcesses(BackendName backend) {
        assumeTrue(
                backend.equals(BackendName.DOCKER)
                        || !System.getProperty("user.name").equals("root"),
                "needs an ordinary user");
        try (SandboxSession session =
                Steps.open(backend, folder, limits -> limits.processes(30).timeout(Duration.ofSeconds(2)))) {
            ExecutionResult result = run(session, "bomb() { bomb | bomb & bomb; }; bomb");
            assertThat(result.termination()).isIn(Termination.EXITED, Termination.TIMED_OUT, Termination.SIGNALED);
            assertThat(result.notes()).contains("probably reached: process limit 30");
        }
    }
}
