package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TrustHandoff;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.verdict.Operation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real git, before, in and after a step. */
final class TrustHandoffIT {
    private static final String IDENTITY = "git config --global user.name n; git config --global user.email e@x; ";

    @TempDir
    private Path folder;

    private Path tree = Path.of("/");

    @BeforeEach
    void makeRepository() throws IOException, InterruptedException {
        folder = folder.toRealPath();
        tree = Files.createDirectory(folder.resolve("tree"));
        onTheHost("git init -q . && git -c user.name=n -c user.email=e@x commit -q --allow-empty -m first");
        Files.writeString(tree.resolve(".envrc"), "mine");
        Files.createDirectory(tree.resolve(".vscode"));
    }

    private void onTheHost(String command) throws IOException, InterruptedException {
        Process git = new ProcessBuilder("/bin/sh", "-c", command)
                .directory(tree.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.waitFor()).as(said).isZero();
    }

    private SandboxPolicy.Builder policy(BackendName backend) {
        Steps.assumeUsable(backend);
        return SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(tree.toString()))
                .addWritePaths(".")
                .backend(backend);
    }

    private static ExecutionResult run(SandboxPolicy.Builder policy, String command) {
        return Steps.SANDBOX.run(policy.build(), Command.shell(command));
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#nativeBackends")
    void gitCommitsBranchesAndMergesAsEverAndNothingIsTold(BackendName backend) {
        ExecutionResult result = run(
                policy(backend),
                IDENTITY
                        + "set -e; echo a > a; git add a; git commit -qm a; git checkout -qb other; echo b > b; git add b;"
                        + " git commit -qm b; git checkout -q -; git merge -q other; git stash list; git gc -q;"
                        + " git log --oneline | wc -l");

        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.stdout().trim()).isEqualTo("3");
        assertThat(result.notes()).noneMatch(note -> note.startsWith("changed by the step"));
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#nativeBackends")
    void newRepositoriesAreMadeAndClonedInside(BackendName backend) {
        ExecutionResult result = run(
                policy(backend),
                IDENTITY
                        + "set -e; git init -q new; git clone -q . copy; cd copy; echo x > x; git add x; git commit -qm x");

        assertThat(result.exitCode()).as("%s", result).isZero();
    }

    @Test
    void inAMountNamespaceWhatStandsIsNotWritten() throws IOException {
        String config = Files.readString(tree.resolve(".git/config"));
        ExecutionResult result = run(
                policy(BackendName.MOUNTNS),
                "echo x > .git/hooks/pre-commit; git config core.fsmonitor evil; echo x > .envrc; echo x > .vscode/tasks.json;"
                        + " mv .git/hooks h; mv .git g; rm -rf .git/hooks .vscode; ln -sf /x .envrc; echo end");

        assertThat(result.stdout()).isEqualTo("end\n");
        assertThat(tree.resolve(".git/hooks/pre-commit")).doesNotExist();
        assertThat(tree.resolve(".git/config")).hasContent(config);
        assertThat(tree.resolve(".envrc")).hasContent("mine");
        assertThat(tree.resolve(".vscode")).isEmptyDirectory();
        assertThat(result.notes()).noneMatch(note -> note.startsWith("changed by the step"));
        assertThat(result.denials())
                .anySatisfy(denial -> assertThat(denial.rule()).contains("trust_handoff"));
    }

    @Test
    void underLandlockWhatChangedIsToldAndTheOracleOfTheRunKnows() {
        ExecutionResult result =
                run(policy(BackendName.LANDLOCK), "echo x > .git/hooks/pre-commit; echo x >> .envrc; echo x > .bashrc");

        assertThat(result.exitCode()).isZero();
        assertThat(result.denials()).isEmpty();
        assertThat(result.notes()).contains(told(".bashrc"), told(".envrc"), told(".git/hooks/pre-commit"));
    }

    private String told(String name) {
        return "changed by the step: " + tree.resolve(name) + ": look at it before you use this folder";
    }

    @Test
    void inAMountNamespaceWhatDidNotStandIsToldWhenItIsMade() {
        ExecutionResult result = run(policy(BackendName.MOUNTNS), "echo x > .bashrc; mkdir .claude");

        assertThat(result.notes()).contains(told(".bashrc"), told(".claude"));
    }

    @Test
    void aWriteGrantForItOrTheSwitchLiftsTheProtection() {
        assertThat(run(policy(BackendName.MOUNTNS).addWritePaths(".git/hooks"), "touch .git/hooks/x")
                        .exitCode())
                .isZero();
        TrustHandoff none =
                TrustHandoff.builder().protect(TrustHandoff.Protection.NONE).build();
        ExecutionResult off = run(policy(BackendName.MOUNTNS).trustHandoff(none), "echo x > .envrc");
        assertThat(off.exitCode()).isZero();
        assertThat(off.notes()).isEmpty();
    }

    @Test
    void theHooksOfAWorktreeAreThoseOfItsRepository() throws IOException, InterruptedException {
        onTheHost("git worktree add -q ../linked");
        SandboxPolicy.Builder both = policy(BackendName.MOUNTNS)
                .baseDir(AbsolutePath.of(folder.toString()))
                .workDir("linked");

        ExecutionResult result = run(
                both,
                IDENTITY + "echo x > ../tree/.git/hooks/pre-commit; echo 'gitdir: /x' > .git;"
                        + " echo a > a && git add a && git commit -qm a");

        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(tree.resolve(".git/hooks/pre-commit")).doesNotExist();
        assertThat(folder.resolve("linked/.git")).content().startsWith("gitdir: " + tree);
    }

    @Test
    void explainAgreesWithTheMounts() {
        var resolved = Steps.SANDBOX.resolve(policy(BackendName.MOUNTNS).build());
        var oracle = Steps.SANDBOX.oracle(resolved);
        for (String name :
                new String[] {".git/hooks/x", ".git/config", ".envrc", ".vscode/x", "a", ".git/index", ".bashrc"}) {
            boolean allowed = oracle.allows(AbsolutePath.of(tree.resolve(name).toString()), Operation.CREATE);
            String command = "test ! -e " + name + " || rm " + name + " && touch " + name;
            assertThat(run(policy(BackendName.MOUNTNS), command).exitCode() == 0)
                    .as(name)
                    .isEqualTo(allowed);
        }
    }
}
