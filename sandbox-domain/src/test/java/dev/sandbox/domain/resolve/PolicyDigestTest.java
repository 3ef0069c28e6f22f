package dev.sandbox.domain.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.RunAs;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.testkit.FakeFileSystem;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PolicyDigestTest {
    private final FakeFileSystem files =
            FakeFileSystem.linux().directory("/w/a").directory("/w/b");

    private ResolvedPolicy resolve(UnaryOperator<SandboxPolicy.Builder> change) {
        return PolicyResolver.resolve(
                change.apply(SandboxPolicy.builder().baseDir(AbsolutePath.of("/w")))
                        .build(),
                Host.standard(files));
    }

    private String digest(UnaryOperator<SandboxPolicy.Builder> change) {
        return PolicyDigest.of(resolve(change));
    }

    @Test
    void itIsSha256InHexadecimalAndStable() {
        assertThat(digest(b -> b.addReadPaths("a")))
                .matches("[0-9a-f]{64}")
                .isEqualTo(digest(b -> b.addReadPaths("a")));
    }

    @Test
    void orderAndSpellingDoNotMatter() {
        assertThat(digest(b -> b.addReadPaths("a", "b"))).isEqualTo(digest(b -> b.addReadPaths("/w/b/", "./a", "b")));
    }

    @Test
    void theOrderInWhichVariablesAreSetDoesNotMatter() {
        EnvironmentPolicy one =
                EnvironmentPolicy.builder().putSet("A", "1").putSet("B", "2").build();
        EnvironmentPolicy two =
                EnvironmentPolicy.builder().putSet("B", "2").putSet("A", "1").build();
        assertThat(digest(b -> b.environment(one))).isEqualTo(digest(b -> b.environment(two)));
    }

    @Test
    void aFolderThatTheSandboxAddsForOneRunDoesNotMatter() {
        ResolvedPolicy resolved = resolve(b -> b.addReadPaths("a"));
        ResolvedPolicy enforced = ResolvedPolicy.builder()
                .from(resolved)
                .addRules(new AccessRule(
                        AbsolutePath.of("/tmp/x1"),
                        EntryKind.DIRECTORY,
                        Access.WRITE,
                        new RuleSource("sandbox", -1, "TMPDIR")))
                .build();
        assertThat(PolicyDigest.of(enforced)).isEqualTo(PolicyDigest.of(resolved));
    }

    @Test
    void whateverChangesWhatIsEnforcedChangesIt() {
        List<UnaryOperator<SandboxPolicy.Builder>> different = List.of(
                b -> b,
                b -> b.addReadPaths("a"),
                b -> b.addReadPaths("b"),
                b -> b.addWritePaths("a"),
                b -> b.addWritePaths("a").cacheDir("a/b"),
                b -> b.addListPaths("a"),
                b -> b.addBlockedPaths("a"),
                b -> b.addBlockedWritePaths("a"),
                b -> b.workDir("a"),
                b -> b.network(NetworkPolicy.none()),
                b -> b.home(HomeMode.INHERIT),
                b -> b.limits(Limits.builder().timeout(Duration.ofSeconds(1)).build()),
                b -> b.image("debian"),
                b -> b.runAs(new RunAs(OptionalLong.of(1000), OptionalLong.empty())),
                b -> b.environment(EnvironmentPolicy.builder().putSet("A", "1").build()),
                b -> b.environment(EnvironmentPolicy.builder().addPass("A").build()));
        Stream<String> digests = different.stream().map(this::digest);
        assertThat(digests).doesNotHaveDuplicates();
    }
}
