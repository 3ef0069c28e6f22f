package dev.sandbox.domain.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.ProcAccess;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.PolicyResolver;
import dev.sandbox.testkit.FakeFileSystem;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AccessOracleTest {
    private final FakeFileSystem files = FakeFileSystem.linux()
            .file("/w/read/f")
            .file("/w/write/f")
            .file("/w/write/keep/f")
            .file("/w/write/keep2/f")
            .file("/w/write/secret/f")
            .file("/w/write/deep/er/locked")
            .file("/w/list/f")
            .file("/w/single")
            .symlink("/w/write/out", "/w/other/f")
            .symlink("/w/other-link", "write/f")
            .file("/w/other/f");

    private final SandboxPolicy policy = SandboxPolicy.builder()
            .proc(ProcAccess.NONE)
            .baseDir(AbsolutePath.of("/w"))
            .addReadPaths("read", "single", "write/f")
            .addWritePaths("write")
            .addListPaths("list")
            .addBlockedPaths("write/secret")
            .addBlockedWritePaths("write/keep", "write/deep/er/locked")
            .build();

    private final Host host = Host.standard(files);
    private final AccessOracle oracle = new AccessOracle(PolicyResolver.resolve(policy, host), host);

    private Verdict decide(String path, Operation operation) {
        return oracle.decide(AbsolutePath.of(path), operation);
    }

    @ParameterizedTest
    @CsvSource({
        "/w/read, read list exec",
        "/w/read/f, read list exec",
        "/w/read/none, read list exec",
        "/w/write, read list write exec",
        "/w/write/f, read list write create exec",
        "/w/write/new, read list write create exec",
        "/w/write/keep, read list exec",
        "/w/write/keep/f, read list exec",
        "/w/write/keep2/f, read list write create exec",
        "/w/write/secret, ''",
        "/w/write/secret/f, ''",
        "/w/write/secretive, read list write create exec",
        "/w/write/deep, read list write exec",
        "/w/write/deep/er, read list write exec",
        "/w/write/deep/er/locked, read list exec",
        "/w/write/deep/er/free, read list write create exec",
        "/w/list, list",
        "/w/list/f, list",
        "/w/single, read list exec",
        "/w/other/f, ''",
        "/w, ''",
        "/, ''",
        "/etc/passwd, read list exec",
        "/etc/resolv.conf, read list exec",
        "/run/systemd/resolve, ''",
        "/dev/null, read write",
        "/bin/env, read list exec",
        "/home/user, ''",
    })
    void everyOperationIsDecided(String path, String allowed) {
        String found = Arrays.stream(Operation.values())
                .filter(operation -> oracle.allows(AbsolutePath.of(path), operation))
                .map(Operation::id)
                .collect(Collectors.joining(" "));
        assertThat(found).isEqualTo(allowed);
    }

    @Test
    void aLinkInsideAGrantDoesNotReachOutsideButMayBeReplaced() {
        assertThat(decide("/w/write/out", Operation.READ).isAllowed()).isFalse();
        assertThat(decide("/w/write/out", Operation.READ).resolved()).hasToString("/w/other/f");
        assertThat(decide("/w/write/out", Operation.READ).steps()).containsExactly("/w/write/out -> /w/other/f");
        assertThat(decide("/w/write/out", Operation.CREATE).isAllowed()).isTrue();
    }

    @Test
    void aLinkOutsideThatLeadsIntoAGrantIsAllowed() {
        assertThat(decide("/w/other-link", Operation.WRITE).isAllowed()).isTrue();
        assertThat(decide("/w/other-link", Operation.CREATE).isAllowed()).isFalse();
    }

    @Test
    void theDecidingRuleIsTheInnermostAndNamedAsWritten() {
        Verdict verdict = decide("/w/write/f", Operation.READ);
        assertThat(verdict.rule().orElseThrow().source()).hasToString("read_paths[2] \"write/f\"");
        assertThat(verdict.reason()).isEqualTo("granted by read_paths[2] \"write/f\"");
        assertThat(verdict.fix()).isEmpty();
    }

    @Test
    void aBlockIsNamedAndHasNoFix() {
        Verdict verdict = decide("/w/write/secret/f", Operation.READ);
        assertThat(verdict.reason()).isEqualTo("blocked by blocked_paths[0] \"write/secret\"");
        assertThat(verdict.fix()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/proc/1/status, READ, 'no grant covers it', 'proc: self'",
        "/w/made/new, CREATE, 'no grant covers it', 'write_paths: [/w/made]'",
        "/w/other/f, READ, 'no grant covers it', 'read_paths: [/w/other/f]'",
        "/w/other/f, EXEC, 'no grant covers it', 'read_paths: [/w/other/f]'",
        "/w/other, LIST, 'no grant covers it', 'list_paths: [/w/other]'",
        "/w/other/new, CREATE, 'no grant covers it', 'write_paths: [/w/other]'",
        "/w/read/f, WRITE, 'read_paths[0] \"read\" gives read, not write', 'write_paths: [/w/read/f]'",
        "/w/list/f, READ, 'list_paths[0] \"list\" gives list, not read', 'read_paths: [/w/list/f]'",
    })
    void aDenialSaysWhyAndWhatWouldAllowIt(String path, Operation operation, String reason, String fix) {
        assertThat(decide(path, operation).reason()).isEqualTo(reason);
        assertThat(decide(path, operation).fix()).isEqualTo(fix);
    }

    @ParameterizedTest
    @CsvSource({
        "/, LIST, '\"/\" is the whole file system, which is never a grant'",
        "/new, CREATE, '\"/\" is the whole file system, which is never a grant'",
        "/sys/kernel, READ, '\"/sys/kernel\" lies on a pseudo file system (/sys/kernel)'",
        "/usr, WRITE, '\"/usr\" is a system directory (/usr), which is never writable'",
        "/home/user/none, READ, 'it does not exist'",
    })
    void aDenialThatNoGrantCanLiftSaysWhatStandsInTheWay(String path, Operation operation, String obstacle) {
        Verdict verdict = decide(path, operation);
        assertThat(verdict.reason()).endsWith(", and none can: " + obstacle);
        assertThat(verdict.fix()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/tmp, WRITE",
        "/tmp/new, CREATE",
        "/var/tmp, READ",
        "/dev/shm, LIST",
        "/home/user, LIST",
        "/home/user/a/b, CREATE",
        "/root/x, CREATE",
        "/home, LIST",
        "/home/user/.ssh/id_rsa, READ",
        "/home/user/.aws/credentials, READ",
        "/home/user/.ssh, LIST",
        "/home/user/project/.env.local, READ",
        "/home/user/server.pem, READ",
        "/etc/shadow, WRITE",
        "/run/secrets/token, READ",
        "/proc/1/environ, READ",
    })
    void neitherTheHostsTmpNorASecretsPlaceIsProposed(String path, Operation operation) {
        AbsolutePath asked = AbsolutePath.of(path);
        if (files.hasRoomFor(asked) && operation != Operation.CREATE) {
            files.file(path);
        }
        Verdict verdict = decide(path, operation);
        assertThat(verdict.isAllowed()).isFalse();
        assertThat(verdict.fix()).isEmpty();
        assertThat(verdict.reason()).contains("no grant is proposed");
    }

    @Test
    void aFixIsWrittenAsYamlReadsIt() {
        files.file("/w/a, b: #\"c\"");
        assertThat(decide("/w/a, b: #\"c\"", Operation.READ).fix()).isEqualTo("read_paths: [\"/w/a, b: #\\\"c\\\"\"]");
    }

    /** Two hosts that differ in what the step cannot see alone. */
    @ParameterizedTest
    @EnumSource(
            value = Sight.class,
            names = {"STEP", "STEP_IN_IMAGE"})
    void aStepIsToldTheSameWhateverIsHiddenFromIt(Sight sight) {
        FakeFileSystem bare = FakeFileSystem.linux().file("/w/open").directory("/w/deep");
        FakeFileSystem full = FakeFileSystem.linux()
                .file("/w/open")
                .directory("/w/deep")
                .file("/root/secret")
                .directory("/root/folder")
                .symlink("/root/link", "folder")
                .socket("/root/socket")
                .file("/w/deep/blocked/inside");
        SandboxPolicy policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of("/w"))
                .addWritePaths(".")
                .addBlockedPaths("deep/blocked")
                .build();
        int compared = 0;
        for (String path : List.of(
                "/root/secret",
                "/root/folder",
                "/root/folder/below",
                "/root/link",
                "/root/link/x",
                "/root/socket",
                "/root",
                "/w/deep/blocked",
                "/w/deep/blocked/inside",
                "/w/open",
                "/w/absent")) {
            for (Operation operation : Operation.values()) {
                assertThat(seen(policy, full, sight, path, operation))
                        .isEqualTo(seen(policy, bare, sight, path, operation));
                compared++;
            }
        }
        assertThat(compared).isEqualTo(11 * Operation.values().length);
        assertThat(seen(policy, full, sight, "/root/secret", Operation.READ))
                .extracting(Verdict::fix)
                .isEqualTo("read_paths: [/root/secret]");
        assertThat(seen(policy, full, Sight.OPERATOR, "/root/secret", Operation.READ))
                .isNotEqualTo(seen(policy, bare, Sight.OPERATOR, "/root/secret", Operation.READ));
    }

    private static Verdict seen(
            SandboxPolicy policy, FakeFileSystem files, Sight sight, String path, Operation operation) {
        Host host = Host.standard(files);
        return new AccessOracle(PolicyResolver.resolve(policy, host), host, sight)
                .decide(AbsolutePath.of(path), operation);
    }
}
