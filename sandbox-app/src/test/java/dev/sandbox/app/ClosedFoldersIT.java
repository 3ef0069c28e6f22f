package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.app.Sandboxed.Outcome;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.result.ExecutionResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A missing blocked path where the step can make nothing: it needs no placeholder, and the block holds all the same. */
@EnabledIf(value = "isRoot", disabledReason = "needs root")
final class ClosedFoldersIT {
    private static final int USER = 61_234;
    private static final String ATTACK = "mv closed away; mkdir closed; echo evil > closed/secret; mkdir -p closed/a/b;"
            + " chmod 777 closed; ls -A closed; echo fine > fine; cat fine";

    @TempDir(factory = ShortTempDir.class)
    private Path folder;

    private Path work = Path.of("/");
    private Path closed = Path.of("/");
    private boolean mounted;

    static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    @BeforeEach
    void makeFolders() throws IOException {
        folder = folder.toRealPath();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        work = Files.createDirectory(folder.resolve("work"));
        closed = Files.createDirectory(work.resolve("closed"));
    }

    private static void command(String... words) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
    }

    private void mountReadOnly() throws IOException, InterruptedException {
        command("mount", "-t", "tmpfs", "-o", "size=64k", "none", closed.toString());
        mounted = true;
        command("mount", "-o", "remount,ro", closed.toString());
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        if (mounted) {
            command("umount", closed.toString());
        }
    }

    private SandboxPolicy policy(BackendName backend) {
        Steps.assumeUsable(backend);
        return Steps.policy(backend, work)
                .addWritePaths(".")
                .addBlockedPaths("closed/secret")
                .addBlockedWritePaths("closed/a/b")
                .build();
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backendsWithATmpOfTheirOwn")
    void onAReadOnlyFileSystemNothingIsNeeded(BackendName backend) throws IOException, InterruptedException {
        mountReadOnly();

        ExecutionResult result = Steps.SANDBOX.run(policy(backend), Command.shell(ATTACK));

        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.stdout()).isEqualTo("fine\n");
        try (Stream<Path> entries = Files.list(closed)) {
            assertThat(entries).isEmpty();
        }
        assertThat(work.resolve("away")).doesNotExist();
    }

    private Outcome asTheUser() throws IOException {
        Path product = folder.resolve("product");
        try (Stream<Path> files = Files.walk(Sandboxed.PRODUCT)) {
            for (Path file : files.toList()) {
                Files.copy(
                        file, product.resolve(Sandboxed.PRODUCT.relativize(file).toString()));
            }
        }
        String uid = String.valueOf(USER);
        return Sandboxed.from(work)
                .installedAt(product.resolve("bin/sandbox"))
                .under("setpriv", "--reuid", uid, "--regid", uid, "--clear-groups")
                .run(
                        "run",
                        "--backend",
                        "mountns",
                        "--write",
                        ".",
                        "--block",
                        "closed/secret",
                        "--block-write",
                        "closed/a/b",
                        "-c",
                        ATTACK);
    }

    @Test
    void inAFolderOfAnotherAccountNothingIsNeeded() throws IOException {
        Steps.assumeUsable(BackendName.MOUNTNS);
        Files.setAttribute(work, "unix:uid", USER, LinkOption.NOFOLLOW_LINKS);

        Outcome outcome = asTheUser();

        assertThat(outcome.ended(0).out()).isEqualTo("fine\n");
        assertThat(closed.resolve("secret")).doesNotExist();
        assertThat(work.resolve("away")).doesNotExist();
    }

    /** Its owner, which is the step's account, may change the mode at any time. */
    @Test
    void inAFolderOfTheStepsOwnAccountAModeIsNoObstacle() throws IOException {
        Steps.assumeUsable(BackendName.MOUNTNS);
        for (Path own : new Path[] {work, closed}) {
            Files.setAttribute(own, "unix:uid", USER, LinkOption.NOFOLLOW_LINKS);
        }
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));

        asTheUser().refused("SANDBOX_UNAVAILABLE: placeholders: cannot block a path that does not exist: ");
    }

    /** What has become writable between two steps of a session is looked at again. */
    @Test
    void aFolderThatOpensDuringASessionGetsItsPlaceholder() throws IOException, InterruptedException {
        mountReadOnly();
        try (var session = Steps.SANDBOX.open(policy(BackendName.MOUNTNS))) {
            assertThat(session.run(Command.shell("true")).exitCode()).isZero();
            assertThat(session.run(Command.shell("true")).exitCode()).isZero();
            command("mount", "-o", "remount,rw", closed.toString());

            ExecutionResult result = session.run(Command.shell("echo evil > closed/secret"));

            assertThat(result.exitCode()).isNotZero();
            assertThat(closed.resolve("secret")).doesNotExist();
        }
    }

    @Test
    void landlockRefusesSuchABlockAsAnyOther() {
        assertThatThrownBy(() -> Steps.SANDBOX.run(policy(BackendName.LANDLOCK), Command.of("true")))
                .isInstanceOf(SandboxUnavailableException.class);
    }
}
