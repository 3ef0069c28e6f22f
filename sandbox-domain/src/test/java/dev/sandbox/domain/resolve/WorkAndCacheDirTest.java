package dev.sandbox.domain.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.testkit.FakeFileSystem;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkAndCacheDirTest {
    private final FakeFileSystem files = new FakeFileSystem()
            .directory("/w/src")
            .directory("/w/out/deep")
            .file("/w/out/file")
            .symlink("/w/link", "src")
            .directory("/data/set");

    private ResolvedPolicy resolve(UnaryOperator<SandboxPolicy.Builder> change) {
        return PolicyResolver.resolve(
                change.apply(SandboxPolicy.builder().baseDir(AbsolutePath.of("/w")))
                        .build(),
                Host.standard(files));
    }

    private void refused(UnaryOperator<SandboxPolicy.Builder> change, String... words) {
        assertThatThrownBy(() -> resolve(change))
                .isInstanceOf(PolicyInvalidException.class)
                .hasMessageContainingAll(words);
    }

    private static Optional<AbsolutePath> at(String path) {
        return Optional.of(AbsolutePath.of(path));
    }

    @ParameterizedTest
    @CsvSource({"'', /w", "., /w", "./, /w", "src, /w/src", "link, /w/src", "/w/src, /w/src", "/w, /w"})
    void workDirIsRelativeToBaseDirAndEmptyMeansBaseDir(String written, String path) {
        assertThat(resolve(b -> b.workDir(written)).workDir()).hasToString(path);
    }

    @Test
    void aWorkDirThatIsMissingOrAFileIsRefused() {
        refused(b -> b.workDir("none"), "work_dir", "\"none\" does not exist");
        refused(b -> b.workDir("out/file"), "work_dir", "is not a directory");
    }

    @Test
    void aWorkDirOutsideBaseDirNeedsAGrant() {
        refused(b -> b.workDir("/data/set"), "work_dir", "outside base_dir and every grant");
        assertThat(resolve(b -> b.workDir("/data/set").addReadPaths("/data")).workDir())
                .hasToString("/data/set");
        assertThat(resolve(b -> b.workDir("/data/set").addWritePaths("/data/set"))
                        .workDir())
                .hasToString("/data/set");
    }

    @Test
    void theBaselineIsNoGrantForAWorkDir() {
        files.directory("/usr/share");
        refused(b -> b.workDir("/usr/share"), "work_dir", "outside base_dir and every grant");
    }

    @Test
    void aWorkDirInNoGrantButInsideBaseDirIsFine() {
        assertThat(resolve(b -> b.workDir("src").addWritePaths("out")).workDir())
                .hasToString("/w/src");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "src"})
    void aWorkDirInsideABlockIsRefusedHoweverItIsWritten(String written) {
        refused(b -> b.workDir(written).addBlockedPaths("."), "work_dir", "lies inside blocked_paths[0]");
    }

    @Test
    void aWorkDirMayBeBlockedForWritingOnly() {
        assertThat(resolve(b -> b.workDir("src").addBlockedWritePaths("src")).workDir())
                .hasToString("/w/src");
    }

    @Test
    void aWorkDirThatIsAGrantToBeCreatedIsFine() {
        ResolvedPolicy resolved = resolve(b -> b.workDir("new").addWritePaths("new"));
        assertThat(resolved.workDir()).hasToString("/w/new");
        assertThat(resolved.cacheBase()).isEqualTo(at("/w/new"));
    }

    @Test
    void cachesLieUnderWorkDirWhenItIsWritable() {
        ResolvedPolicy resolved = resolve(b -> b.workDir("out/deep").addWritePaths("/data/set", "out"));
        assertThat(resolved.cacheBase()).isEqualTo(at("/w/out/deep"));
        assertThat(resolved.tmpBase()).isEqualTo(at("/w/out/deep"));
    }

    @Test
    void elseUnderTheFirstWriteGrantThatIsADirectory() {
        ResolvedPolicy resolved = resolve(b -> b.addWritePaths("out/file", "/data/set", "out"));
        assertThat(resolved.cacheBase()).isEqualTo(at("/data/set"));
    }

    @Test
    void elseNowhere() {
        assertThat(resolve(b -> b.addReadPaths(".").addWritePaths("out/file")).cacheBase())
                .isEmpty();
    }

    @Test
    void aBlockedFolderIsNoPlaceForCaches() {
        assertThat(resolve(b -> b.workDir("src").addWritePaths(".", "/data/set").addBlockedWritePaths("src"))
                        .cacheBase())
                .isEqualTo(at("/w"));
    }

    @Test
    void cacheDirMovesCachesButNotTmp() {
        ResolvedPolicy resolved = resolve(b -> b.addWritePaths(".", "/data/set").cacheDir("/data/set"));
        assertThat(resolved.cacheBase()).isEqualTo(at("/data/set"));
        assertThat(resolved.tmpBase()).isEqualTo(at("/w"));
    }

    @Test
    void aMissingCacheDirInsideAWriteGrantIsCreated() {
        ResolvedPolicy resolved = resolve(b -> b.addWritePaths("out").cacheDir("out/cache/x"));
        assertThat(resolved.cacheBase()).isEqualTo(at("/w/out/cache/x"));
        assertThat(resolved.directoriesToCreate())
                .containsExactly(AbsolutePath.of("/w/out/cache"), AbsolutePath.of("/w/out/cache/x"));
    }

    @Test
    void aCacheDirMustBeAWritableDirectory() {
        refused(b -> b.cacheDir("/data/set"), "cache_dir", "does not lie inside a write grant");
        refused(b -> b.addReadPaths("src").cacheDir("src"), "cache_dir", "does not lie inside a write grant");
        refused(b -> b.addWritePaths("out").cacheDir("out/file"), "cache_dir", "is not a directory");
        refused(b -> b.addWritePaths("out").cacheDir("out/file/sub"), "cache_dir", "directory");
        refused(b -> b.addWritePaths("out").cacheDir(""), "cache_dir", "is empty");
        refused(b -> b.addWritePaths("out").addBlockedPaths("out/deep").cacheDir("out/deep"), "cache_dir");
    }
}
