package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.OutputSink;
import dev.sandbox.domain.isolation.RunningStep;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.CommandInvalidException;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.Termination;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many commands in one session, on every backend. */
@Timeout(600)
@SuppressWarnings("try") // closing early is what some of these are about
final class SessionIT {
    /** Those that do not end a process by default, and the two that libc keeps to itself. */
    private static final Set<Integer> HARMLESS = Set.of(17, 18, 19, 20, 21, 22, 23, 28, 32, 33);

    @TempDir
    private Path folder;

    private SandboxSession open(BackendName backend) {
        return Steps.open(backend, folder, limits -> limits);
    }

    /** Several at a time: with a container engine most of a step is waiting. */
    private static List<ExecutionResult> runAll(SandboxSession session, List<Command> commands)
            throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<ExecutionResult>> results = new ArrayList<>();
            commands.forEach(command -> results.add(threads.submit(() -> session.run(command))));
            List<ExecutionResult> all = new ArrayList<>();
            for (Future<ExecutionResult> result : results) {
                all.add(result.get());
            }
            return all;
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void aTextOverTheKernelsLongestArgumentRuns(BackendName backend) {
        String long1 = "a=" + "ß".repeat(150_000)
                + "\nprintf '%s %s %s ' \"$0\" \"$1\" $#\nprintf %s \"$a\" | wc -c\nexit 7\n";
        try (SandboxSession session = open(backend)) {
            ExecutionResult result = session.run(Command.shell(long1, List.of("one two")));
            assertThat(result.stdout()).as("%s", result.stderr()).isEqualTo("/bin/sh one two 1 300000\n");
            assertThat(result.exitCode()).isEqualTo(7);
            String empty = ": " + "x".repeat(140_000) + "\necho $#";
            assertThat(session.run(Command.shell(empty)).stdout()).isEqualTo("0\n");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void oneOverAllThatTheKernelTakesIsRefusedWithTheLimit(BackendName backend) {
        Command command = Command.shell(": " + "x".repeat(7_000_000));
        try (SandboxSession session = open(backend)) {
            assertThatThrownBy(() -> session.run(command))
                    .isInstanceOf(CommandInvalidException.class)
                    .hasMessageContaining("longer than Linux takes");
            assertThat(session.run(Command.shell("echo on")).stdout()).isEqualTo("on\n");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void everyExitCodeArrives(BackendName backend) throws InterruptedException, ExecutionException {
        try (SandboxSession session = open(backend)) {
            List<ExecutionResult> results = runAll(
                    session,
                    IntStream.rangeClosed(0, 255)
                            .mapToObj(code -> Command.shell("exit " + code))
                            .toList());
            for (int code = 0; code <= 255; code++) {
                ExecutionResult result = results.get(code);
                assertThat(result.exitCode()).isEqualTo(code);
                assertThat(result.signal().isPresent()).as("%s", result).isEqualTo(isTakenForASignal(code, backend));
                assertThat(result.termination())
                        .isEqualTo(result.signal().isPresent() ? Termination.SIGNALED : Termination.EXITED);
            }
        }
    }

    /** An engine gives 128+N for both. */
    private static boolean isTakenForASignal(int code, BackendName backend) {
        return backend.equals(BackendName.DOCKER) && code > 128 && code < 160;
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void everyDeadlySignalArrives(BackendName backend) throws InterruptedException, ExecutionException {
        try (SandboxSession session = open(backend)) {
            Set<Integer> ignored = ignored(session);
            List<Integer> signals = IntStream.rangeClosed(1, 64)
                    .filter(n -> !HARMLESS.contains(n) && !ignored.contains(n))
                    .boxed()
                    .toList();
            List<ExecutionResult> results = runAll(
                    session,
                    signals.stream()
                            .map(signal -> Command.shell("ulimit -c 0; kill -" + signal + " $$"))
                            .toList());
            for (int i = 0; i < results.size(); i++) {
                int signal = signals.get(i);
                ExecutionResult result = results.get(i);
                assertThat(result.exitCode()).as("signal %d", signal).isEqualTo(128 + signal);
                if (backend.equals(BackendName.DOCKER) && signal > 31) {
                    continue; // nobody's: an engine does not tell them from exit codes, which those numbers are left to
                }
                assertThat(result.termination()).as("%s", result).isEqualTo(Termination.SIGNALED);
                assertThat(result.signal()).hasValue(signal);
            }
        }
    }

    /**
     * Those that the shell ignores: an engine that a shell started in the background hands that on, and busybox's own shell never dies
     * of SIGQUIT.
     */
    private static Set<Integer> ignored(SandboxSession session) {
        String status = session.run(Command.shell("while read -r line; do echo \"$line\"; done < /proc/self/status"))
                .stdout();
        long mask = status.lines()
                .filter(line -> line.startsWith("SigIgn:"))
                .mapToLong(line -> Long.parseUnsignedLong(line.split("\\s+")[1], 16))
                .sum();
        return IntStream.rangeClosed(1, 64)
                .filter(signal -> (mask >> (signal - 1) & 1) == 1)
                .boxed()
                .collect(Collectors.toUnmodifiableSet());
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void concurrentRunsDoNotMixTheirResults(BackendName backend) throws InterruptedException, ExecutionException {
        // Each that runs at the same time takes a container of its own.
        int atOnce = backend.equals(BackendName.DOCKER) ? 4 : 16;
        ExecutorService threads = Executors.newFixedThreadPool(atOnce);
        try (SandboxSession session = open(backend)) {
            List<Future<ExecutionResult>> results = new ArrayList<>();
            for (int i = 0; i < atOnce * 10; i++) {
                Command command = Command.shell("echo out" + i + "; echo err" + i + " >&2; exit " + i);
                results.add(threads.submit(() -> session.run(command)));
            }
            for (int i = 0; i < results.size(); i++) {
                ExecutionResult result = results.get(i).get();
                assertThat(result.stdout()).isEqualTo("out" + i + "\n");
                assertThat(result.stderr()).isEqualTo("err" + i + "\n");
                assertThat(result.exitCode()).isEqualTo(i);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#nativeBackends")
    void stepsThatWereKilledLeaveNoZombies(BackendName backend) {
        try (SandboxSession session = open(backend)) {
            session.run(Command.of("true"));
            long before = ProcessHandle.current().descendants().count();
            for (int i = 0; i < 3; i++) {
                ExecutionResult result = session.run(
                        StepRequest.piped(Command.shell("while :; do echo much; done")),
                        (buffer, offset, length) -> OutputSink.Demand.END_RUN,
                        (buffer, offset, length) -> OutputSink.Demand.MORE);
                assertThat(result.termination()).isEqualTo(Termination.OUTPUT_LIMIT);
            }
            Leftovers.assertGone(
                    "children",
                    () -> ProcessHandle.current()
                            .descendants()
                            .skip(before)
                            .map(ProcessHandle::toString)
                            .toList());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void mergedOutputComesInTheOrderInWhichItWasPrinted(BackendName backend) {
        String command = "i=0; while [ $i -lt 200 ]; do echo $i; echo $i >&2; i=$((i+1)); done; exit 3";
        try (SandboxSession session = open(backend)) {
            ExecutionResult result =
                    session.run(StepRequest.merged(Command.shell(command)), InputStream.nullInputStream());

            assertThat(result.stdout())
                    .isEqualTo(IntStream.range(0, 200)
                            .mapToObj(i -> i + "\n" + i + "\n")
                            .collect(Collectors.joining()));
            assertThat(result.stderr()).isEmpty();
            assertThat(result.exitCode()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backendsWithATmpOfTheirOwn")
    void whatAStepLeavesInTmpTheNextStepFindsAndAnotherSessionDoesNot(BackendName backend) {
        String token = "kept-" + folder.getFileName();
        try (SandboxSession session = open(backend);
                SandboxSession another = open(backend)) {
            String look = "cat /tmp/" + token + "; ls /tmp; exec ls /dev/shm";

            assertThat(session.run(Command.shell("echo mine > /tmp/" + token + "; mkdir /tmp/dir"))
                            .exitCode())
                    .isZero();

            assertThat(session.run(Command.shell(look)).stdout())
                    .startsWith("mine\n")
                    .contains("dir");
            assertThat(another.run(Command.shell(look)).stdout())
                    .doesNotContain("mine")
                    .doesNotContain("dir");
            assertThat(Path.of("/tmp", token)).doesNotExist();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backendsWithATmpOfTheirOwn")
    void blocksHoldInEveryStepOfASession(BackendName backend) throws IOException {
        Steps.assumeUsable(backend);
        Path secret = Files.writeString(folder.resolve("secret"), "secret");
        SandboxPolicy policy = Steps.policy(backend, folder)
                .addWritePaths(".")
                .addBlockedPaths("secret", "absent")
                .build();
        Command attack = Command.shell("cat secret; echo made > absent; cat absent; touch /tmp/kept; ls -d /tmp/kept");
        try (SandboxSession session = Steps.SANDBOX.open(policy)) {
            assertThat(session.run(attack).stdout()).isEqualTo("/tmp/kept\n");
            assertThat(session.run(attack).stdout()).isEqualTo("/tmp/kept\n");
            // The file system may give the new file the old one's number.
            Files.delete(secret);
            Files.writeString(secret, "secret");
            assertThat(session.run(attack).stdout()).isEqualTo("/tmp/kept\n");
            if (backend.equals(BackendName.MOUNTNS)
                    && System.getProperty("user.name").equals("root")) {
                assertThat(session.run(Command.shell("ls -d /tmp/kept")).stdout())
                        .as("other mounts, the same /tmp")
                        .isEqualTo("/tmp/kept\n");
            }
        }
        assertThat(folder.resolve("absent")).doesNotExist();
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void grantsThatWereReplacedAreReachedByTheNextCommand(BackendName backend) throws IOException {
        Files.writeString(folder.resolve("data"), "one");
        Files.createDirectory(folder.resolve("tree"));
        Steps.assumeUsable(backend);
        SandboxPolicy policy =
                Steps.policy(backend, folder).addReadPaths("data", "tree").build();
        try (SandboxSession session = Steps.SANDBOX.open(policy)) {
            assertThat(session.run(Command.shell("cat data; ls tree")).stdout()).isEqualTo("one");
            Files.move(
                    Files.writeString(folder.resolve("new"), "two"),
                    folder.resolve("data"),
                    StandardCopyOption.REPLACE_EXISTING);
            Files.delete(folder.resolve("tree"));
            Files.createFile(Files.createDirectory(folder.resolve("tree")).resolve("leaf"));

            assertThat(session.run(Command.shell("cat data; ls tree")).stdout()).isEqualTo("twoleaf\n");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void closingASessionEndsWhatRunsInOtherThreadsAndStartsNothingMore(BackendName backend) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            SandboxSession session = open(backend);
            String token = "close-" + folder.getFileName();
            CountDownLatch on = new CountDownLatch(1);
            OutputSink sink = (buffer, offset, length) -> {
                on.countDown();
                return OutputSink.Demand.MORE;
            };
            StepRequest step = StepRequest.piped(Command.of("/bin/sh", "-c", "echo on; sleep 1000; :", token));
            Future<ExecutionResult> result = thread.submit(() -> session.run(step, sink, sink));
            on.await();

            session.close();

            assertThat(result.get().termination()).isEqualTo(Termination.CANCELLED);
            assertThat(Steps.running(token)).isEmpty();
            assertThat(Steps.SANDBOX.running()).isEmpty();
            assertThatThrownBy(() -> session.run(Command.of("/bin/touch", "ran")))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(folder.resolve("ran")).doesNotExist();
        } finally {
            thread.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void whatRunsIsListedUntilItIsClosedAndCanBeCancelled(BackendName backend) throws Exception {
        try (SandboxSession session = open(backend)) {
            try (var process = session.start(StepRequest.piped(Command.shell("sleep 1000")))) {
                RunningStep step = Steps.SANDBOX.running().get(0);
                assertThat(step.command()).isEqualTo("sleep 1000");
                assertThat(step.backend()).isEqualTo(backend);
                assertThat(step.pid()).isEqualTo(process.pid());
                assertThat(Steps.SANDBOX.cancel(step.id())).isTrue();
                assertThat(Steps.SANDBOX.cancel(-1)).isFalse();
            }
            assertThat(Steps.SANDBOX.running()).isEmpty();
        }
    }
}
