package dev.sandbox.domain.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.testkit.FakeFileSystem;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockPatternTest {
    private final FakeFileSystem files = FakeFileSystem.linux()
            .file("/w/.env")
            .file("/w/a/.env")
            .file("/w/a/b/.env")
            .file("/w/a/b/key.pem")
            .file("/w/key.pem")
            .file("/w/environment")
            .file("/w/a/keys.txt")
            .file("/data/.env")
            .file("/data/deep/x.pem")
            .file("/out/of/reach/.env")
            .directory("/w/secrets1/in")
            .symlink("/w/link", "/out/of/reach")
            .symlink("/w/a/c.pem", "/data/deep/x.pem");

    private ResolvedPolicy resolve(UnaryOperator<SandboxPolicy.Builder> change) {
        return PolicyResolver.resolve(
                change.apply(SandboxPolicy.builder().baseDir(AbsolutePath.of("/w")))
                        .build(),
                Host.standard(files));
    }

    private static List<String> blocked(ResolvedPolicy resolved, Access access) {
        return resolved.rules().stream()
                .filter(rule -> rule.access() == access && rule.source().index() >= 0)
                .map(rule -> rule.path().toString())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "**/.env, '/data/.env /w/.env /w/a/.env /w/a/b/.env'",
        "*.pem, '/w/key.pem'",
        "**/*.pem, '/data/deep/x.pem /w/a/b/key.pem /w/key.pem'",
        "/w/**/*.pem, '/data/deep/x.pem /w/a/b/key.pem /w/key.pem'",
        "a/*/.env, '/w/a/b/.env'",
        "a/**, '/w/a'",
        "/w/a/*, '/data/deep/x.pem /w/a/.env /w/a/b /w/a/keys.txt'",
        "**/secrets?, '/w/secrets1'",
        "?env, '/data/.env /w/.env'",
        "**/**/b/*.p?m, '/w/a/b/key.pem'",
        "/out/**/.env, ''",
        "*.nothing, ''",
    })
    void itIsExpandedOverTheGrantsAndNothingElse(String pattern, String expected) {
        List<String> paths = List.of(expected.isEmpty() ? new String[0] : expected.split(" "));
        ResolvedPolicy hidden =
                resolve(b -> b.addWritePaths(".").addReadPaths("/data").addBlockedPaths(pattern));
        assertThat(blocked(hidden, Access.BLOCKED)).isEqualTo(paths);
        assertThat(hidden.notes()).singleElement().asString().contains(pattern, "not what comes to fit");
        ResolvedPolicy kept =
                resolve(b -> b.addWritePaths(".").addReadPaths("/data").addBlockedWritePaths(pattern));
        assertThat(blocked(kept, Access.BLOCKED_WRITE)).isEqualTo(paths);
    }

    @Test
    void aFileThatIsCalledSoIsMeantItself() {
        files.file("/w/*.pem");
        ResolvedPolicy resolved = resolve(b -> b.addWritePaths(".").addBlockedPaths("*.pem"));
        assertThat(blocked(resolved, Access.BLOCKED)).containsExactly("/w/*.pem");
        assertThat(resolved.notes()).isEmpty();
        assertThat(resolve(b -> b.addReadPaths("*.pem")).grants())
                .anyMatch(rule -> rule.path().name().equals("*.pem"));
    }

    @Test
    void aGrantIsNoPattern() {
        for (UnaryOperator<SandboxPolicy.Builder> grant : List.<UnaryOperator<SandboxPolicy.Builder>>of(
                b -> b.addReadPaths("*.txt"), b -> b.addWritePaths("out/**"), b -> b.addListPaths("a/?"))) {
            assertThatThrownBy(() -> resolve(grant)).hasMessageContaining("a grant is no pattern");
        }
    }

    @Test
    void aPatternThatLeadsUpIsRefused() {
        assertThatThrownBy(() -> resolve(b -> b.addWritePaths(".").addBlockedPaths("../**/.env")))
                .hasMessageContaining("blocked_paths[0]");
    }

    @Test
    void aNameMadeToBeSlowIsNot() {
        files.file("/w/" + "a".repeat(250));
        assertThat(blocked(resolve(b -> b.addWritePaths(".").addBlockedPaths("*a".repeat(100) + "b")), Access.BLOCKED))
                .isEmpty();
    }
}
