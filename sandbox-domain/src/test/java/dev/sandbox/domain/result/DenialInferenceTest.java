package dev.sandbox.domain.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.PolicyResolver;
import dev.sandbox.domain.verdict.AccessOracle;
import dev.sandbox.testkit.FakeFileSystem;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DenialInferenceTest {
    private final FakeFileSystem files = FakeFileSystem.linux()
            .file("/usr/bin/sh")
            .file("/usr/bin/cat")
            .file("/w/in/a")
            .file("/w/notes.txt")
            .file("/w/run.py")
            .file("/x/secret")
            .directory("/x/dir")
            .file("/root/.config/git/attributes");

    private List<Denial> infer(String stderr) {
        return infer(stderr, () -> true);
    }

    private List<Denial> infer(String stderr, BooleanSupplier timeIsLeft) {
        SandboxPolicy policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of("/w"))
                .addReadPaths("in", "run.py")
                .addWritePaths("out")
                .build();
        Host host = Host.standard(files);
        AccessOracle oracle = new AccessOracle(PolicyResolver.resolve(policy, host), host);
        return DenialInference.from(stderr, AbsolutePath.of("/w"), oracle, timeIsLeft);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "cat: /x/secret: Permission denied|read|/x/secret",
                "/usr/bin/cat: /x/secret: Permission denied|read|/x/secret",
                "cat: ../x/secret: Permission denied|read|/x/secret",
                "cat: './in/../../x/secret': Permission denied|read|/x/secret",
                "ls: cannot open directory '/x/dir': Permission denied|list|/x/dir",
                "ls: cannot access '/x/dir/': Permission denied|list|/x/dir",
                "bash: /x/secret: Permission denied|read|/x/secret",
                "bash: line 1: /x/secret: Permission denied|read|/x/secret",
                "/bin/sh: 1: cannot create /x/new: Permission denied|create|/x/new",
                "/bin/sh: 1: cannot open /x/secret: Permission denied|read|/x/secret",
                "/bin/sh: 1: cannot create report.txt: Permission denied|create|/w/report.txt",
                "sh: 1: cannot create in/new: Permission denied|create|/w/in/new",
                "touch: cannot touch '/x/new': Permission denied|create|/x/new",
                "touch: cannot touch '/w/in/a': Permission denied|write|/w/in/a",
                "mkdir: cannot create directory ‘/x/new’: Permission denied|create|/x/new",
                "rm: cannot remove '/w/in/a': Permission denied|write|/w/in/a",
                "cp: cannot create regular file '/x/new': Read-only file system|create|/x/new",
                "PermissionError: [Errno 13] Permission denied: '/x/secret'|read|/x/secret",
                "/w/run.py:3: PermissionError: [Errno 13] Permission denied: '/x/secret'|read|/x/secret",
                "npm ERR! Error: EACCES: permission denied, mkdir '/x/new'|create|/x/new",
                "npm error Error: EACCES: permission denied, open '/x/secret'|read|/x/secret",
                "warning: unable to access '/root/.config/git/attributes': Permission denied|read|/root/.config/git/attributes",
                "fatal: could not create leading directories of '/x/new/repo': Permission denied|create|/x/new/repo",
                "cat: notes.txt: Permission denied|read|/w/notes.txt",
                "ls: cannot open directory '.': Permission denied|list|/w",
                "mkdir: cannot create directory 'new': Permission denied|create|/w/new",
            })
    void whatRealProgramsComplainAboutIsUnderstood(String line, String operation, String path) {
        assertThat(infer("some other output\n" + line + "\n")).singleElement().satisfies(denial -> {
            assertThat(denial.path()).isEqualTo(path);
            assertThat(denial.operation()).isEqualTo(operation);
            assertThat(denial.source()).isEqualTo(Denial.Source.INFERRED);
            assertThat(denial.fix()).isNotEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cat: /x/secret: No such file or directory",
                "cat: /w/in/a: Permission denied",
                "touch: cannot touch '/w/out/new': Permission denied",
                "/x/secret is a nice path",
                "Permission denied (publickey).",
                "fatal: https://example.org/x/secret: Permission denied",
                "",
            })
    void whatIsNotTheSandboxesDoingIsNotReported(String line) {
        assertThat(infer(line)).isEmpty();
    }

    @Test
    void aPathIsReportedOnceAndThereAreNotTooMany() {
        assertThat(infer("cat: /x/secret: Permission denied\n".repeat(3))).hasSize(1);
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            many.append("cat: /x/f").append(i).append(": Permission denied\n");
        }
        assertThat(infer(many.toString())).hasSize(20);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "permission denied a.",
                "permission denied //",
                "permission denied /x",
                "permission denied \u2019: ",
                "permission denied: '",
                "can't open ./",
            })
    @Timeout(60)
    void aLineOfAnyLengthIsReadInOneGo(String beginning) {
        String tail = beginning.substring(beginning.length() - 2);
        assertThat(infer(beginning + tail.repeat(1_000_000) + "\n")).hasSizeLessThanOrEqualTo(20);
        assertThat(infer(tail.repeat(1_000_000) + ": permission denied\n")).hasSizeLessThanOrEqualTo(20);
    }

    @Test
    void fewPathsAreLookedAtHoweverManyAreComplainedOf() {
        int before = files.looks();
        StringBuilder many = new StringBuilder("permission denied");
        for (int i = 0; i < 50_000; i++) {
            many.append(" /w/in/f").append(i);
        }
        assertThat(infer(many.toString())).isEmpty();
        assertThat(files.looks() - before).isLessThan(5_000);
    }

    @Test
    void noPathIsLookedAtWhenTheTimeIsOver() {
        assertThat(infer("cat: /x/a: Permission denied\n".repeat(3), () -> false))
                .isEmpty();
    }

    @Test
    void aPathThatNoCallWouldTakeIsNoDenial() {
        assertThat(infer("cat: /x" + "/a".repeat(3_000) + ": Permission denied"))
                .isEmpty();
        assertThat(infer("cat: /x" + "/a".repeat(500) + ": Permission denied")).isEmpty();
    }

    @Test
    void aNulInAComplaintIsHarmless() {
        assertThat(infer("cat: /x/\0secret: Permission denied\n")).isEmpty();
    }

    @Test
    void aModeThatKeepsRootOutIsToldWithTheIdentityThatWouldHelp() {
        files.details().owner("/w/in/a", new Identity(1000, 100), 0600);

        assertThat(infer("cat: /w/in/a: Permission denied"))
                .containsExactly(new Denial(
                        "/w/in/a",
                        "read",
                        Denial.Source.INFERRED,
                        "granted, but /w/in/a belongs to uid 1000 with mode 0600 and may not be read by others:"
                                + " root's capabilities are dropped",
                        "run_as: 1000:100"));
    }

    @Test
    void aFolderAboveThatKeepsRootOutIsTheOneThatIsTold() {
        files.details().owner("/w/in", new Identity(1000, 1000), 0700);

        assertThat(infer("cat: /w/in/a: Permission denied")).singleElement().satisfies(denial -> {
            assertThat(denial.rule())
                    .startsWith("granted, but /w/in belongs to uid 1000 with mode 0700 and may not be");
            assertThat(denial.fix()).isEqualTo("run_as: 1000");
        });
    }

    @Test
    void anOrdinaryAccountsOwnPermissionsAreNotTheSandboxs() {
        files.details().owner("/w/in/a", new Identity(1000, 1000), 0600);
        files.details().caller(new Identity(1001, 1001));

        assertThat(infer("cat: /w/in/a: Permission denied")).isEmpty();
    }
}
