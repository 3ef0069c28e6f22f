package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.core.Sandboxes;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.RunAs;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.result.Denial;
import dev.sandbox.domain.result.ExecutionResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Root gives a step another identity, or none and has no capability to make up for it. */
@EnabledIf(value = "isRoot", disabledReason = "needs root")
final class RunAsIT {
    private static final int UID = 61_234;
    private static final int GID = 61_235;
    private static final RunAs NAMED = new RunAs(OptionalLong.of(UID), OptionalLong.of(GID));
    private static final RunAs OWNER = new RunAs(OptionalLong.empty(), OptionalLong.empty());
    private static final StandardSandbox SANDBOX = Sandboxes.standard(Map.of(
            "PATH", "/usr/local/bin:/usr/bin:/bin",
            "USER", "root",
            "LOGNAME", "root",
            "DOCKER_HOST", System.getenv().getOrDefault("DOCKER_HOST", "unix:///var/run/docker.sock")));

    @TempDir
    private Path folder;

    static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    @BeforeEach
    void makeFolder() throws IOException {
        folder = folder.toRealPath();
        // By its mode open to all: what is tried here are owners.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        owned(Files.createDirectory(folder.resolve("work")), UID, GID);
    }

    private static Path owned(Path path, int uid, int gid) throws IOException {
        Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
        return path;
    }

    private Path file(String name, String content, String mode) throws IOException {
        Path file = Files.writeString(folder.resolve(name), content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        return owned(file, UID, GID);
    }

    private static String owner(Path path) throws IOException {
        return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS) + ":"
                + Files.getAttribute(path, "unix:gid", LinkOption.NOFOLLOW_LINKS);
    }

    private SandboxPolicy.Builder policy(BackendName backend) {
        Steps.assumeUsable(backend);
        return SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(folder.toString()))
                .workDir("work")
                .image("sandbox-test-busybox")
                .backend(backend)
                .addWritePaths("work");
    }

    private ExecutionResult run(SandboxPolicy.Builder policy, String command) {
        return SANDBOX.run(policy.build(), Command.shell(command));
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void theStepIsNobodyElseAndWhatItMakesComesBackAsItsOwn(BackendName backend) throws IOException {
        ExecutionResult result = run(
                policy(backend).runAs(NAMED),
                "id -u; id -g; id -G; grep -E '^(Cap(Inh|Prm|Eff|Amb)|Groups)' /proc/self/status; mkdir d; echo x > d/f");

        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.stdout()).startsWith(UID + "\n" + GID + "\n" + GID + "\n");
        if (!backend.equals(BackendName.LANDLOCK)) {
            assertThat(result.stdout().lines().filter(line -> line.startsWith("Cap")))
                    .hasSizeGreaterThanOrEqualTo(3)
                    .allMatch(line -> line.endsWith("0000000000000000"));
        }
        assertThat(owner(folder.resolve("work/d/f"))).isEqualTo(UID + ":" + GID);
        assertThat(result.guarantees()).contains(Guarantee.RUN_AS);
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void theFoldersThatAreMadeForItAreItsOwnAndThoseThatStoodKeepTheirOwner(BackendName backend) throws IOException {
        Files.setPosixFilePermissions(
                Files.createDirectory(folder.resolve("work/.cache")), PosixFilePermissions.fromString("rwxrwxrwx"));
        SandboxPolicy.Builder policy = policy(backend).runAs(NAMED).addWritePaths("made/by/us");

        ExecutionResult result = run(policy, "touch $HOME/h $TMPDIR/t ../made/by/us/f && rm $TMPDIR/t");

        assertThat(result.exitCode()).as("%s", result).isZero();
        for (String made :
                List.of("work/.home", "work/.home/.gitignore", "work/.local", "made", "made/by", "made/by/us")) {
            assertThat(owner(folder.resolve(made))).as(made).isEqualTo(UID + ":" + GID);
        }
        assertThat(owner(folder.resolve("work/.cache"))).isEqualTo("0:0");
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void aFolderThatItMayNotWriteMovesItsCachesToAPrivateOneOfItsOwn(BackendName backend) throws IOException {
        Files.createDirectory(folder.resolve("work/.cache"));

        ExecutionResult result =
                run(policy(backend).runAs(NAMED), "touch $HOME/h $XDG_CACHE_HOME/c && ls -nd $HOME && echo $HOME");

        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.stdout()).contains(" " + UID + " ", "/sbx-");
        assertThat(result.notes())
                .anyMatch(
                        note -> note.contains(".cache belongs to uid 0 and cannot be written by a step of uid " + UID));
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void ownerIsWhoOwnsTheWorkingDirectoryAlsoOneThatIsMade(BackendName backend) throws IOException {
        assertThat(run(policy(backend).runAs(OWNER), "id -u").stdout()).isEqualTo(UID + "\n");

        ExecutionResult made =
                run(policy(backend).runAs(OWNER).addWritePaths("work/new").workDir("work/new"), "id -u; touch f");

        assertThat(made.stdout()).isEqualTo(UID + "\n");
        assertThat(owner(folder.resolve("work/new/f"))).isEqualTo(UID + ":" + GID);
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void filesOfRootsAreOutOfItsReach(BackendName backend) throws IOException {
        Path secret = owned(file("work/secret", "leak", "rw-------"), 0, 0);

        ExecutionResult result = run(policy(backend).runAs(NAMED), "cat secret; echo x > secret");

        assertThat(result.stdout()).isEmpty();
        assertThat(secret).hasContent("leak");
        assertThat(result.denials()).extracting(Denial::rule).anyMatch(rule -> rule.contains("belongs to uid 0"));
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void withoutRunAsADenialSaysThatRootsCapabilitiesAreDroppedAndNamesRunAs(BackendName backend) throws IOException {
        file("work/private", "x", "rw-------");

        ExecutionResult result = run(policy(backend), "cat " + folder + "/work/private");

        assertThat(result.exitCode()).isNotZero();
        assertThat(result.denials()).singleElement().satisfies(denial -> {
            assertThat(denial.rule())
                    .contains("granted, but ", "belongs to uid " + UID + " with mode 0600")
                    .endsWith("root's capabilities are dropped");
            assertThat(denial.fix()).isEqualTo("run_as: " + UID + ":" + GID);
        });
        assertThat(run(policy(backend).runAs(NAMED), "cat private").stdout()).isEqualTo("x");
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#nativeBackends")
    void theCallersNamesAreNotHandedOn(BackendName backend) {
        assertThat(run(policy(backend), "echo $USER $LOGNAME").stdout()).isEqualTo("root root\n");
        assertThat(run(policy(backend).runAs(NAMED), "echo $USER $LOGNAME").stdout())
                .isEqualTo("\n");
    }

    @Test
    void theStepOpensItsOwnStreamsByName() {
        ExecutionResult result =
                run(policy(BackendName.MOUNTNS).runAs(NAMED), "echo out > /dev/stdout; echo err > /proc/self/fd/2");

        assertThat(result.stdout() + result.stderr()).isEqualTo("out\nerr\n");
    }

    @Test
    void aWorkingDirectoryThatItMayNotReachIsToldPlainly() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        SandboxPolicy policy = policy(BackendName.LANDLOCK).runAs(NAMED).build();

        assertThatThrownBy(() -> SANDBOX.run(policy, Command.shell("touch ran")))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("the step cannot enter " + folder.resolve("work") + " as " + UID + ":" + GID)
                .hasMessageContaining("Permission denied (EACCES); nothing ran");
        assertThat(folder.resolve("work/ran")).doesNotExist();
    }

    @Test
    void theJvmItselfStaysWhoItIs() throws IOException {
        run(policy(BackendName.LANDLOCK).runAs(NAMED), "true");

        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            for (Path thread : threads.toList()) {
                assertThat(Files.readString(thread.resolve("status"))).contains("Uid:\t0\t0\t0\t0");
            }
        }
    }

    @Test
    void thoseThatOutliveItAreEnded() {
        String mark = "86401.5" + ProcessHandle.current().pid();

        ExecutionResult result = run(policy(BackendName.LANDLOCK).runAs(NAMED), "setsid sleep " + mark + " & true");

        assertThat(Steps.running(mark)).isEmpty();
        assertThat(result.notes()).contains("processes that outlived the command were ended");
    }
}
