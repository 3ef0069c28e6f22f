package dev.sandbox.domain.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.testkit.FakeFileSystem;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathResolutionTest {
    private final FakeFileSystem files = new FakeFileSystem()
            .file("/w/d/f")
            .file("/w/file")
            .directory("/x/y")
            .file("/x/secret")
            .socket("/x/sock")
            .symlink("/w/absolute", "/x/y")
            .symlink("/w/relative", "d/f")
            .symlink("/w/up", "../x/secret")
            .symlink("/w/far-up", "../../../../x/secret")
            .symlink("/w/one", "two")
            .symlink("/w/two", "./three/")
            .symlink("/w/three", "d")
            .symlink("/w/loop", "pool")
            .symlink("/w/pool", "loop")
            .symlink("/w/self", "self/a")
            .symlink("/w/dangling", "no/such")
            .symlink("/w/through-file", "file/a")
            .symlink("/w/via-link-up", "absolute/../secret")
            .symlink("/w/missing-up", "no/../through/z")
            .symlink("/w/through", "/x/y")
            .symlink("/w/missing-back", "no/../file")
            .symlink("/w/file-back", "file/../d")
            .symlink("/w/hidden-back", "/secret/../w/file")
            .denied("/secret");

    @ParameterizedTest
    @CsvSource({
        "/, /, DIRECTORY",
        "/w/d/f, /w/d/f, FILE",
        "/w/absolute, /x/y, DIRECTORY",
        "/w/relative, /w/d/f, FILE",
        "/w/up, /x/secret, FILE",
        "/w/far-up, /x/secret, FILE",
        "/w/one/f, /w/d/f, FILE",
        "/w/dangling, /w/no/such, MISSING",
        "/w/dangling/more, /w/no/such/more, MISSING",
        "/w/file/a, /w/file/a, MISSING",
        "/w/through-file, /w/file/a, MISSING",
        "/w/via-link-up, /x/secret, FILE",
        "/x/sock, /x/sock, SOCKET",
        "/x/sock/a, /x/sock/a, MISSING",
        "/secret, /secret, DENIED",
        "/secret/a/b, /secret/a/b, DENIED",
        "/nowhere/a, /nowhere/a, MISSING",
        "/w/missing-back, /w/file, MISSING",
        "/w/file-back, /w/d, MISSING",
        "/w/hidden-back, /w/file, DENIED",
    })
    void linksAreFollowedAsTheKernelFollowsThem(String asked, String path, EntryKind kind) {
        PathResolution found = PathResolution.follow(AbsolutePath.of(asked), files);
        assertThat(found.path()).hasToString(path);
        assertThat(found.kind()).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({"/w/loop", "/w/loop/a", "/w/self"})
    void aLoopEndsAsALink(String asked) {
        assertThat(PathResolution.follow(AbsolutePath.of(asked), files).kind()).isEqualTo(EntryKind.SYMLINK);
    }

    @Test
    void fortyLinksAreFollowedAndOneMoreIsALoop() {
        IntStream.rangeClosed(1, 41).forEach(i -> files.symlink("/w/l" + i, i == 1 ? "file" : "l" + (i - 1)));
        assertThat(PathResolution.follow(AbsolutePath.of("/w/l40"), files).kind())
                .isEqualTo(EntryKind.FILE);
        assertThat(PathResolution.follow(AbsolutePath.of("/w/l41"), files).kind())
                .isEqualTo(EntryKind.SYMLINK);
    }

    @Test
    void everyLinkFollowedIsToldInOrder() {
        assertThat(PathResolution.follow(AbsolutePath.of("/w/one"), files).steps())
                .containsExactly("/w/one -> two", "/w/two -> ./three/", "/w/three -> d");
    }

    @Test
    void linksBehindAMissingFolderAndDotDotAreFollowedToo() {
        PathResolution found = PathResolution.follow(AbsolutePath.of("/w/missing-up"), files);
        assertThat(found.path()).hasToString("/x/y/z");
        assertThat(found.kind()).isEqualTo(EntryKind.MISSING);
    }

    /** Forty links, each to a text that goes down and up a thousand times: once 40,000 looks at the host for one path. */
    @Test
    void linksThatLeadFarAboutAreGivenUp() {
        FakeFileSystem files = FakeFileSystem.linux().directory("/w/d");
        for (int i = 0; i < 39; i++) {
            files.symlink("/w/l" + i, "d/../".repeat(800) + "l" + (i + 1));
        }
        files.directory("/w/l39");

        PathResolution found = PathResolution.follow(AbsolutePath.of("/w/l0"), files);

        assertThat(found.kind()).isEqualTo(EntryKind.DENIED);
        assertThat(files.looks()).isLessThanOrEqualTo(1_001);
    }
}
