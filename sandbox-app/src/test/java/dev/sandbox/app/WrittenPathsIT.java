package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.linux.ControlFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What people write in a policy, and what a real step then may. */
@Timeout(300)
final class WrittenPathsIT {
    @TempDir
    private Path folder;

    @BeforeEach
    void lay() throws IOException {
        folder = folder.toRealPath();
        Files.createDirectories(folder.resolve("ws/sub"));
        Files.writeString(Files.createDirectories(folder.resolve("lib/deep")).resolve("f"), "library\n");
        Files.writeString(folder.resolve("ws/.env"), "TOP\n");
        Files.writeString(folder.resolve("ws/sub/.env"), "TOP\n");
        Files.writeString(folder.resolve("ws/plain"), "plain\n");
        Files.createSymbolicLink(folder.resolve("ws/away"), folder.resolve("lib/deep"));
    }

    private Sandboxed.Outcome run(String... arguments) {
        return Sandboxed.from(folder).run(arguments);
    }

    @Test
    void dotDotMeansWhatTheKernelMeans() {
        assertThat(run("run", "--write", "ws/sub/..", "--workdir", "ws", "-c", "echo x > new && cat plain")
                        .ended(0)
                        .out())
                .isEqualTo("plain\n");
        assertThat(run("run", "--read", folder + "/ws/../lib", "-c", "cat lib/deep/f")
                        .ended(0)
                        .out())
                .isEqualTo("library\n");
        // The link leads to lib/deep, so above it is lib and not ws.
        assertThat(run("run", "--read", folder + "/ws/away/..", "-c", "cat lib/deep/f; cat ws/plain")
                        .out())
                .isEqualTo("library\n");
        run("run", "--read", "ws/../..", "-c", "true").refused("POLICY_INVALID: ");
    }

    @Test
    void aBlockHoldsForEverySpelling() {
        Steps.assumeUsable(BackendName.MOUNTNS);
        for (String block :
                new String[] {"ws/sub/../.env", folder + "/lib/../ws/.env", "ws/./sub/..//.env", "~/ws/.env"}) {
            assertThat(run("run", "--write", "ws", "--block", block, "-c", "cat ws/.env; cat ws/plain")
                            .out())
                    .as(block)
                    .isEqualTo("plain\n");
        }
    }

    @Test
    void aPatternBlocksWhatFitsAndSaysSo() {
        Steps.assumeUsable(BackendName.MOUNTNS);
        Sandboxed.Outcome outcome = run(
                "run", "--json", "--write", "ws", "--block", "**/.env", "-c", "cat ws/.env ws/sub/.env; cat ws/plain");
        assertThat(outcome.out()).contains("plain").doesNotContain("TOP").contains("is a pattern");
    }

    @Test
    void theCallersHomeAndVariablesAreMeant() {
        assertThat(Sandboxed.from(folder)
                        .with("PART", "lib")
                        .run("run", "--read", "~/${PART}/deep", "-c", "cat lib/deep/f")
                        .ended(0)
                        .out())
                .isEqualTo("library\n");
        assertThat(folder.resolve("~")).doesNotExist();
        run("run", "--read", "${UNSET_NAME}/x", "-c", "true").refused("POLICY_INVALID: ");
    }

    @Test
    void theSandboxesOwnRecordsAreOutOfReach() {
        Path records = Path.of(ControlFolder.ofThisAccount().records().toString());
        run("run", "--write", records.toString(), "-c", "true").refused("POLICY_INVALID: ");
        run("run", "--read", String.valueOf(records.getParent()), "-c", "true").refused("POLICY_INVALID: ");
    }

    /** Deeper than any path is long; the folder for TMPDIR is the sandbox's own where the work folder has a long name. */
    @Test
    void aTreeOfSixtyThousandFoldersInTmpdirIsRemovedAndTheExitCodeIsTheCommands() throws IOException {
        assumeTrue(Files.exists(Path.of("/usr/bin/python3")), "needs python3");
        Path work = Files.createDirectories(folder.resolve("a-name-that-makes-tmpdir-too-long-for-a-socket".repeat(2)));
        // From the innermost outwards: Landlock walks from each new folder up to a grant, which would take minutes.
        String script = """
                import os
                print(os.environ['TMPDIR'], flush=True)
                os.chdir(os.environ['TMPDIR'])
                os.mkdir('d')
                for i in range(60000):
                    os.mkdir('outer'); os.rename('d', 'outer/d'); os.rename('outer', 'd')
                os._exit(7)
                """;
        Sandboxed.Outcome outcome = run(
                "run",
                "--write",
                work.toString(),
                "--workdir",
                work.toString(),
                "--",
                "/usr/bin/python3",
                "-c",
                script);
        assertThat(outcome.code()).as("%s", outcome).isEqualTo(7);
        assertThat(Path.of(outcome.out().strip())).isAbsolute().doesNotExist();
    }
}
