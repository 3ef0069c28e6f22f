package dev.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.Sandbox;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program that may write in a folder swaps an entry with a link while the engine makes mounts of it. {@code -Ddocker.races=200} is
 * the long form.
 */
@Timeout(1200)
final class MountRaceIT {
    private static final int TRIES = Integer.getInteger("docker.races", 16);
    private static final String IMAGE = "sandbox-test-busybox";
    private static final DockerBackend BACKEND = TestBackend.of(IMAGE);

    /** renameat2(2) with RENAME_EXCHANGE, from its first line of input to the end of that; the folder is left as it was. */
    private static final String SWAPPER = """
            import ctypes, os, platform, select, sys, time
            libc = ctypes.CDLL(None, use_errno=True)
            number = {"x86_64": 316, "aarch64": 276}[platform.machine()]
            one, other = (os.fsencode(name) for name in sys.argv[1:3])
            def swap():
                if libc.syscall(number, -100, one, -100, other, 2) != 0: sys.exit(os.strerror(ctypes.get_errno()))
            os.read(0, 1)
            while not select.select([0], [], [], 0)[0]:
                swap()
                time.sleep(0.02)
            if os.path.islink(one): swap()
            """;

    @TempDir
    private Path folder;

    private Path outside = Path.of("/");
    private int granted;
    private int refused;

    @BeforeAll
    static void engineAnswers() {
        assumeTrue(BACKEND.assess().isUsable(), "needs a container engine with the image " + IMAGE);
        assumeTrue(Files.exists(Path.of("/usr/bin/python3")), "needs python3");
    }

    @BeforeEach
    void makeFolders() throws IOException {
        folder = folder.toRealPath();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        outside = Files.createDirectories(folder.resolve("outside"));
        Files.createDirectories(folder.resolve("base/w"));
    }

    private SandboxPolicy.Builder policy() {
        return SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(folder.resolve("base").toString()))
                .network(NetworkPolicy.none());
    }

    /**
     * What the step printed; empty when it was refused. The swapper begins when the policy has been resolved, which a private folder's
     * making tells: before that a link is followed on purpose.
     */
    private String attempt(SandboxPolicy.Builder policy, String command) throws Exception {
        Process swapper = new ProcessBuilder("python3", "-c", SWAPPER, "in", "evil")
                .directory(folder.resolve("base/w").toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (OutputStream go = swapper.getOutputStream()) {
            AtomicBoolean begun = new AtomicBoolean();
            Sandbox sandbox = TestBackend.sandbox(BACKEND, () -> begin(go, begun));
            String said = sandbox.run(policy.build(), Command.shell(command)).stdout();
            granted++;
            return said;
        } catch (SandboxUnavailableException refusal) {
            refused++;
            return "";
        } finally {
            assertThat(swapper.waitFor()).isZero();
        }
    }

    private static void begin(OutputStream go, AtomicBoolean begun) {
        try {
            if (begun.compareAndSet(false, true)) {
                go.write('x');
                go.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aGrantThatIsSwappedWithALinkNeverShowsWhereThatLeads() throws Exception {
        Path in = Files.createDirectory(folder.resolve("base/w/in"));
        Files.writeString(in.resolve("data"), "granted");
        Files.writeString(outside.resolve("data"), "secret");
        Files.createSymbolicLink(folder.resolve("base/w/evil"), outside);
        for (int i = 0; i < TRIES; i++) {
            assertThat(attempt(policy().addReadPaths("w/in").addWritePaths("out"), "cat " + in + "/data"))
                    .isIn("granted", "");
        }
        System.out.printf("mount races, a grant: %d ran, %d refused%n", granted, refused);
        assertThat(granted).as("the race leaves room for right ones").isPositive();
    }

    @Test
    void aFolderAboveABlockThatIsSwappedNeverTakesTheBlockAway() throws Exception {
        Path in = Files.createDirectory(folder.resolve("base/w/in"));
        Files.writeString(in.resolve("token"), "secret");
        Files.createDirectory(folder.resolve("base/w/other"));
        Files.writeString(folder.resolve("base/w/other/token"), "theirs");
        Files.createSymbolicLink(folder.resolve("base/w/evil"), Path.of("other"));
        String command = "for i in 1 2 3 4 5 6 7 8; do cat " + in + "/token; usleep 5000; done 2>/dev/null";
        for (int i = 0; i < TRIES; i++) {
            assertThat(attempt(policy().addWritePaths("w").addBlockedPaths("w/in/token"), command))
                    .doesNotContain("secret");
        }
        System.out.printf("mount races, a block: %d ran, %d refused%n", granted, refused);
        assertThat(granted + refused).isEqualTo(TRIES);
    }
}
