package dev.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.Sandbox;
import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.result.ExecutionResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One step hands another, in another container, a descriptor of its folder; the other then moves what the first one's policy blocks. */
@Timeout(300)
final class BlockMoveIT {
    private static final String IMAGE = "sandbox-test-debian";
    private static final Sandbox SANDBOX = TestBackend.sandbox(TestBackend.of(IMAGE));

    private static final String GIVER = """
            import os, socket, time
            s = socket.socket(socket.AF_UNIX)
            while True:
                try:
                    s.connect("meet/s")
                    break
                except OSError: time.sleep(0.01)
            socket.send_fds(s, [b"x"], [os.open("w", os.O_PATH)])
            print(s.recv(100).decode())
            """;

    private static final String MOVER = """
            import os, socket, sys
            s = socket.socket(socket.AF_UNIX)
            s.bind("meet/new")
            s.listen()
            os.rename("meet/new", "meet/s")
            c = s.accept()[0]
            w = socket.recv_fds(c, 1, 1)[1][0]
            try:
                exec(sys.argv[1])
                c.send(b"done")
            except OSError as e:
                c.send(str(e).encode())
            """;

    @TempDir
    private Path folder;

    @BeforeAll
    static void engineAnswers() {
        assumeTrue(TestBackend.of(IMAGE).assess().isUsable(), "needs a container engine with the image " + IMAGE);
    }

    @BeforeEach
    void makeFolders() throws IOException {
        folder = folder.toRealPath();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectories(folder.resolve("w/pub"));
        Files.createDirectory(folder.resolve("meet"));
        Files.writeString(folder.resolve("w/secret"), "secret");
        Files.createDirectories(folder.resolve("w/deep/er"));
        Files.writeString(folder.resolve("w/deep/er/token"), "secret");
    }

    private SandboxPolicy.Builder policy() {
        return SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(folder.toString()))
                .addWritePaths("meet")
                .network(NetworkPolicy.none());
    }

    private SandboxSession blocking() {
        return SANDBOX.open(policy().addWritePaths("w")
                .addBlockedPaths("w/secret", "w/deep/er/token", "w/absent")
                .build());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            os.rename('secret', 'pub/stolen', src_dir_fd=w, dst_dir_fd=w)                  | w/pub/stolen
            os.rename('deep', 'pub/stolen', src_dir_fd=w, dst_dir_fd=w)                    | w/pub/stolen
            os.rename('absent', 'pub/stolen', src_dir_fd=w, dst_dir_fd=w)                  | w/pub/stolen
            os.unlink('secret', dir_fd=w); os.open('secret', os.O_CREAT, 0o644, dir_fd=w)  | removed or replaced
            """)
    void aSessionWhoseBlockedEntryMovedSaysSoAndRunsNothingMore(String attack, String told) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (SandboxSession giving = blocking();
                SandboxSession moving = SANDBOX.open(policy().build())) {
            Future<ExecutionResult> moved = thread.submit(
                    (Callable<ExecutionResult>) () -> moving.run(Command.of("python3", "-c", MOVER, attack)));
            ExecutionResult result = giving.run(Command.of("python3", "-c", GIVER));
            assertThat(moved.get().exitCode()).as(moved.get().stderr()).isZero();
            assertThat(result.stdout()).as("the attack works").isEqualTo("done\n");

            assertThat(result.notes()).anyMatch(note -> note.contains(told) && note.contains("runs nothing more"));
            assertThatThrownBy(() -> giving.run(Command.shell("cat w/pub/stolen")))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining(told);
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void betweenStepsAMoveEndsTheSessionAndAFileSavedAnewDoesNot() throws IOException {
        try (SandboxSession session = blocking()) {
            Path saved = Files.writeString(folder.resolve("w/secret.new"), "new secret");
            Files.move(saved, folder.resolve("w/secret"), StandardCopyOption.REPLACE_EXISTING);
            ExecutionResult after = session.run(Command.shell("cat w/secret"));
            assertThat(after.stdout()).isEmpty();
            assertThat(after.notes()).noneMatch(note -> note.contains("runs nothing more"));
            Files.move(folder.resolve("w/secret"), folder.resolve("w/pub/stolen"));
            assertThatThrownBy(() -> session.run(Command.shell("cat w/pub/stolen")))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("w/pub/stolen");
        }
    }
}
