package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.app.Sandboxed.Outcome;
import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.result.ExecutionResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the sandbox makes in a grant for its steps, what it does where it cannot, and what {@code sandbox clean} takes away. */
final class OwnFoldersIT {
    private static final String USER = "61234";
    private static final String[] BECOMING_USER = {"setpriv", "--reuid", USER, "--regid", USER, "--clear-groups"};

    @TempDir(factory = ShortTempDir.class)
    private Path folder;

    private Path work = Path.of("/");

    @BeforeEach
    void makeFolder() throws IOException {
        folder = folder.toRealPath();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        work = Files.createDirectory(folder.resolve("work"));
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    /** Skips the test for whoever cannot become another. */
    private void workBelongsToTheUser() throws IOException {
        assumeTrue(isRoot(), "needs root");
        Files.setAttribute(work, "unix:uid", Integer.valueOf(USER), LinkOption.NOFOLLOW_LINKS);
    }

    /** The build's folder may be closed to the user. */
    private Path product() throws IOException {
        Path copy = folder.resolve("product");
        if (!Files.exists(copy)) {
            try (Stream<Path> files = Files.walk(Sandboxed.PRODUCT)) {
                for (Path file : files.toList()) {
                    Files.copy(
                            file,
                            copy.resolve(Sandboxed.PRODUCT.relativize(file).toString()));
                }
            }
        }
        return copy.resolve("bin/sandbox");
    }

    private Outcome asTheUser(String... arguments) throws IOException {
        return Sandboxed.from(work).installedAt(product()).under(BECOMING_USER).run(arguments);
    }

    private SandboxPolicy policy(BackendName backend) {
        Steps.assumeUsable(backend);
        return Steps.policy(backend, work).addWritePaths(".").build();
    }

    private static ExecutionResult run(SandboxPolicy policy, String command) {
        return Steps.SANDBOX.run(policy, Command.shell(command));
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void aFolderThatStoodBeforeGetsNoFileAndOneThatIsMadeDoes(BackendName backend) throws IOException {
        Files.createDirectory(work.resolve(".cache"));

        assertThat(run(policy(backend), "true").exitCode()).isZero();

        assertThat(work.resolve(".cache/.gitignore")).doesNotExist();
        assertThat(Files.readAllLines(work.resolve(".local/.gitignore")))
                .hasSize(2)
                .contains("*");
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void aFileInTheWayMovesTheStepsFoldersAndANoteSaysSo(BackendName backend) throws IOException {
        Files.writeString(work.resolve(".cache"), "mine");
        ExecutionResult result = run(
                policy(backend),
                "set -e; for d in \"$HOME\" \"$XDG_CACHE_HOME\"; do touch \"$d/x\"; echo \"$d\"; done");

        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.stdout()).contains("/sbx-").doesNotContain(work.toString());
        assertThat(result.notes())
                .filteredOn(note -> note.startsWith(SandboxSession.PRIVATE_FOLDER))
                .singleElement()
                .asString()
                .contains(work + "/.cache is not a directory");
        assertThat(Files.readString(work.resolve(".cache"))).isEqualTo("mine");
        assertThat(Path.of(result.stdout().lines().findFirst().orElseThrow()).getParent())
                .as("gone with the session")
                .doesNotExist();
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#nativeBackends")
    void foldersThatRootsRunLeftDoNotRefuseTheUsers(BackendName backend) throws IOException {
        workBelongsToTheUser();
        Steps.assumeUsable(backend);
        String name = backend.id();
        assertThat(run(policy(backend), "touch \"$HOME/roots\"").exitCode()).isZero();

        Outcome outcome = asTheUser(
                "run",
                "--backend",
                name,
                "--write",
                ".",
                "-c",
                "touch \"$HOME/x\" \"$TMPDIR/x\" && mktemp > /dev/null && echo \"$HOME\"");

        outcome.ended(0);
        assertThat(outcome.out()).contains("/sbx-");
        assertThat(outcome.err())
                .contains("SANDBOX_NOTE: private folder: caches, packages and HOME are in ")
                .contains("SANDBOX_NOTE: private folder: TMPDIR is in ")
                .contains(" belongs to uid 0 ");
        asTheUser("run", "--quiet", "--backend", name, "--write", ".", "true").ended(0);
        assertThat(asTheUser("clean", "--write", ".").ended(0).out())
                .as("they are root's")
                .contains("kept " + work + "/.home: the sandbox did not make it for this account")
                .doesNotContain("removed");
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#nativeBackends")
    void foldersOfAUserDoNotFailRootsStep(BackendName backend) throws IOException {
        workBelongsToTheUser();
        Path cache = Files.createDirectory(
                work.resolve(".cache"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.setAttribute(cache, "unix:uid", Integer.valueOf(USER), LinkOption.NOFOLLOW_LINKS);

        ExecutionResult result = run(policy(backend), "touch \"$XDG_CACHE_HOME/x\"");

        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.notes()).anyMatch(note -> note.contains(".cache belongs to uid " + USER));
    }

    @Test
    void cleanRemovesWhatRunsHaveMadeAndNoFolderOfTheSameName() throws IOException {
        Files.createDirectory(work.resolve(".local"));
        Files.writeString(work.resolve("mine"), "mine");
        Files.createSymbolicLink(folder.resolve("outside"), work);
        assertThat(run(
                                policy(BackendName.LANDLOCK),
                                "mkdir -p .cache/a/b; ln -s \"$PWD\" .cache/link; mkdir -m 0 .tmp/no")
                        .exitCode())
                .isZero();

        Outcome outcome = Sandboxed.from(work).run("clean", "--write", ".");

        assertThat(outcome.ended(0).out().lines())
                .containsExactly(
                        "removed " + work + "/.cache",
                        "kept " + work
                                + "/.local: the sandbox did not make it for this account, or a blocked path is in it",
                        "removed " + work + "/.home",
                        "removed " + work + "/.tmp");
        try (Stream<Path> left = Files.list(work)) {
            assertThat(left.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder(".local", "mine");
        }
        assertThat(Sandboxed.from(work).run("clean").ended(0).out())
                .startsWith("kept ")
                .containsOnlyOnce("\n");
    }

    /** A mark that was moved or copied along, a link, a FIFO for the mark: none is the sandbox's folder. */
    @Test
    void cleanIsNotTakenInByWhatAStepLeaves() throws IOException {
        Path treasure = Files.createDirectory(folder.resolve("treasure"));
        Files.writeString(treasure.resolve("gold"), "gold");
        Files.createDirectory(work.resolve("kept"));
        Files.writeString(work.resolve("kept/gold"), "gold");
        assertThat(run(
                                policy(BackendName.LANDLOCK),
                                "set -e; cp .cache/.gitignore kept/; rm -rf .cache; mv kept .cache;"
                                        + " cp .home/.gitignore x; rm -rf .home; ln -s " + treasure + " .home;"
                                        + " rm .local/.gitignore; mkfifo .local/.gitignore")
                        .exitCode())
                .isZero();
        Files.copy(work.resolve("x"), treasure.resolve(".gitignore"));

        List<String> lines = Sandboxed.from(work)
                .run("clean", "--write", ".")
                .ended(0)
                .out()
                .lines()
                .toList();

        assertThat(lines).filteredOn(line -> line.startsWith("removed")).containsExactly("removed " + work + "/.tmp");
        assertThat(lines).filteredOn(line -> line.startsWith("kept")).hasSize(3);
        assertThat(work.resolve(".cache/gold")).hasContent("gold");
        assertThat(treasure.resolve("gold")).hasContent("gold");
    }

    @Test
    void theOptionsOfFoldersAndOfTheEnvironmentSayWhatTheKeysSay() throws IOException {
        Files.createDirectory(work.resolve("own"));
        Outcome outcome = Sandboxed.from(work)
                .with("VAR_A", "a")
                .with("VAR_B", "b")
                .with("TZ", "UTC")
                .run(
                        "run",
                        "--write",
                        ".",
                        "--cache-dir",
                        "own",
                        "--env-inherit",
                        "scrubbed",
                        "--block-env",
                        "VAR_A*",
                        "-c",
                        "echo $XDG_CACHE_HOME ${VAR_A-none} $VAR_B");
        assertThat(outcome.ended(0).out()).isEqualTo(work + "/own/.cache none b\n");
        assertThat(Sandboxed.from(work)
                        .with("VAR_B", "b")
                        .with("TZ", "UTC")
                        .run("run", "--env-inherit", "listed", "-c", "echo ${VAR_B-none} $TZ")
                        .ended(0)
                        .out())
                .isEqualTo("none UTC\n");
        Sandboxed.from(work)
                .run("run", "--write", "none", "--on-missing", "refuse", "true")
                .refused("POLICY_INVALID: write_paths[0]: \"none\" does not exist");
        assertThat(work.resolve("none")).doesNotExist();
    }
}
