package dev.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.OutputSink;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.result.Termination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine of the test's own, which ends while a step runs. */
class EngineStopIT {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    @SuppressWarnings("try") // an interrupt ends the test
    void aStepWhoseEngineEndsIsToldAsEndedAndLeavesNoContainer() throws Exception {
        assumeTrue(CallerIdentity.current().isRoot(), "needs root");
        assumeTrue(TestBackend.of(DockerBackendIT.IMAGE).assess().isUsable(), "needs a container engine");
        // A socket's path has 108 bytes, and the engine wants its folders on a disk.
        Path home = Files.createTempDirectory(Path.of("/var/tmp"), "engine");
        String before = System.getProperty("DOCKER_HOST");
        try (OwnEngine engine = OwnEngine.start(home)) {
            System.setProperty("DOCKER_HOST", engine.address());
            engine.makeImage();
            endMidway(engine);
            engine.startAgain();
            assertThat(Engine.connect().labelled(Owner.LABEL)).isEmpty();
            assertThat(TestBackend.sandbox(TestBackend.of(DockerBackendIT.IMAGE))
                            .run(policy(), Command.shell("exit 3"))
                            .exitCode())
                    .isEqualTo(3);
        } finally {
            if (before == null) {
                System.clearProperty("DOCKER_HOST");
            } else {
                System.setProperty("DOCKER_HOST", before);
            }
        }
    }

    private void endMidway(OwnEngine engine) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        CountDownLatch runs = new CountDownLatch(1);
        DockerBackend backend = TestBackend.of(DockerBackendIT.IMAGE);
        try (SandboxSession session = TestBackend.sandbox(backend).open(policy());
                SandboxedProcess process = session.start(StepRequest.piped(Command.shell("echo runs; sleep 1000")))) {
            Future<Completion> end = pool.submit(() -> process.exchange(Exchange.builder()
                    .stdout((bytes, offset, length) -> {
                        runs.countDown();
                        return OutputSink.Demand.MORE;
                    })
                    .stderr((bytes, offset, length) -> OutputSink.Demand.MORE)
                    .build()));
            assertThat(runs.await(1, TimeUnit.MINUTES)).isTrue();
            engine.stop();
            assertEnded(end);
            assertThatThrownBy(() -> session.run(Command.of("true"))).isInstanceOf(SandboxUnavailableException.class);
        } finally {
            pool.shutdownNow();
        }
    }

    /** It may still tell that it killed the step, or not answer any more. */
    private static void assertEnded(Future<Completion> end) throws Exception {
        try {
            assertThat(end.get(1, TimeUnit.MINUTES).termination()).isEqualTo(Termination.SIGNALED);
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(SandboxUnavailableException.class);
        }
    }

    private SandboxPolicy policy() throws IOException {
        return SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(folder.toRealPath().toString()))
                .network(NetworkPolicy.none())
                .build();
    }
}
