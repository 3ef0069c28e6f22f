package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.RunningStep;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.Termination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    @ParameterizedTest
    @EnumSource(names = {"LANDLOCK", "MOUNTNS"})
    void everyExitCodeArrives(BackendName backend) {
        try (SandboxSession session = open(backend)) {
            for (int code = 0; code <= 255; code++) {
                ExecutionResult result = session.run(Command.shell("exit " + code));
                assertThat(result.exitCode()).isEqualTo(code);
                assertThat(result.signal()).isEmpty();
                assertThat(result.termination()).isEqualTo(Termination.EXITED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LANDLOCK", "MOUNTNS"})
    void everyDeadlySignalArrives(BackendName backend) {
        try (SandboxSession session = open(backend)) {
            IntStream.rangeClosed(1, 64).filter(n -> !HARMLESS.contains(n)).forEach(signal -> {
                ExecutionResult result = session.run(Command.shell("ulimit -c 0; kill -" + signal + " $$"));
                assertThat(result.exitCode()).as("signal %d", signal).isEqualTo(128 + signal);
                // The script of an ordinary user's mount namespace reports the number alone.
                boolean told = result.signal().isPresent();
                assertThat(result.termination()).isEqualTo(told ? Termination.SIGNALED : Termination.EXITED);
                assertThat(told ? result.signal().getAsInt() : signal).isEqualTo(signal);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LANDLOCK", "MOUNTNS"})
    void concurrentRunsDoNotMixTheirResults(BackendName backend) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try (SandboxSession session = open(backend)) {
            List<Future<ExecutionResult>> results = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
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
    @EnumSource(names = {"LANDLOCK", "MOUNTNS"})
    void grantsThatWereReplacedAreReachedByTheNextCommand(BackendName backend) throws IOException {
        Files.writeString(folder.resolve("data"), "one");
        Files.createDirectory(folder.resolve("tree"));
        Steps.assumeUsable(backend);
        SandboxPolicy policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(Steps.real(folder)))
                .addReadPaths("data", "tree")
                .backend(backend)
                .build();
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
    @EnumSource(names = {"LANDLOCK", "MOUNTNS"})
    void closingASessionEndsWhatRunsInOtherThreadsAndStartsNothingMore(BackendName backend) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            SandboxSession session = open(backend);
            String token = "close-" + folder.getFileName();
            Future<ExecutionResult> result =
                    thread.submit(() -> session.run(Command.of("/bin/sh", "-c", "echo on; sleep 1000; :", token)));
            while (Steps.SANDBOX.running().isEmpty()) {
                Thread.onSpinWait();
            }

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
    @EnumSource(names = {"LANDLOCK", "MOUNTNS"})
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
