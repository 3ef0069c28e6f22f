package dev.sandbox.mountns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A FUSE server that never answers, in a grant: whoever looks something up there waits in the kernel. */
final class DeadFileServerIT {
    private static final String SERVER = """
            import ctypes, os, sys
            libc = ctypes.CDLL(None, use_errno=True)
            place = sys.argv[1].encode()
            connection = os.open('/dev/fuse', os.O_RDWR)
            options = f'fd={connection},rootmode=40000,user_id=0,group_id=0,allow_other'
            if libc.mount(b'dead', place, b'fuse', 0, options.encode()) != 0:
                sys.exit(os.strerror(ctypes.get_errno()))
            print('mounted', flush=True)
            sys.stdin.read()
            libc.umount2(place, 2)
            """;

    private final Box box = new Box(Box.backend(Privilege.ofThisProcess()));
    private Process server;
    private Path dead;

    @BeforeEach
    void mount() throws IOException {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "needs root");
        assumeTrue(Files.isWritable(Path.of("/dev/fuse")), "needs /dev/fuse");
        dead = Files.createDirectories(box.folder.resolve("granted/dead"));
        server = new ProcessBuilder("/usr/bin/python3", "-c", SERVER, dead.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(said().readLine()).isEqualTo("mounted");
    }

    private BufferedReader said() {
        return server.inputReader(StandardCharsets.UTF_8);
    }

    @AfterEach
    void unmount() throws InterruptedException, IOException {
        if (server != null) {
            server.getOutputStream().close();
            assertThat(server.waitFor()).isZero();
        }
        box.close();
    }

    private SandboxPolicy policy(Duration timeout) {
        return box.policy()
                .addReadPaths("granted")
                .limits(Limits.builder().timeout(timeout).build())
                .build();
    }

    @Test
    void aStartThatHangsThereIsEndedByTheTimeoutAndNothingRan() {
        try (IsolationSession session = box.backend.open(Box.request(policy(Duration.ofSeconds(3))))) {
            assertThatThrownBy(() -> session.start(StepRequest.piped(Command.of(dead + "/program"))))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("nothing ran");
        }
    }

    @Test
    void aStartThatHangsThereDoesNotHoldTheOthersOfItsSession() throws Exception {
        try (IsolationSession session = box.backend.open(Box.request(policy(Duration.ofSeconds(30))))) {
            echo(session, "first");
            CompletableFuture<Void> hanging = new CompletableFuture<>();
            Thread starter = new Thread(() -> {
                try {
                    session.start(StepRequest.piped(Command.of(dead + "/program")))
                            .close();
                    hanging.complete(null);
                } catch (RuntimeException e) {
                    hanging.completeExceptionally(e);
                }
            });
            starter.start();
            awaitInTheKernel(starter);
            for (int i = 0; i < 20; i++) {
                echo(session, "beside");
            }
            assertThat(hanging).isNotDone();
            server.getOutputStream().close();
            assertThat(hanging).failsWithin(60, TimeUnit.SECONDS);
        }
    }

    /** Until a spawn of this thread waits for its child. */
    private static void awaitInTheKernel(Thread starter) {
        while (starter.getState() == Thread.State.RUNNABLE
                || Arrays.stream(starter.getStackTrace())
                        .noneMatch(frame -> frame.getClassName().endsWith(".Spawner"))) {
            assertThat(starter.isAlive()).isTrue();
            Thread.onSpinWait();
        }
    }

    private static void echo(IsolationSession session, String word) {
        try (SandboxedProcess process = session.start(StepRequest.piped(Command.of("/bin/echo", word)))) {
            assertThat(Box.finish(process).stdout()).isEqualTo(word + "\n");
        }
    }
}
