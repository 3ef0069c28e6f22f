package dev.sandbox.domain.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AbsolutePathTest {
    @ParameterizedTest
    @CsvSource({
        "/, /",
        "//, /",
        "/., /",
        "/a, /a",
        "/a/, /a",
        "//a///b//, /a/b",
        "/./a/./b/., /a/b",
        "/a b/c, /a b/c",
        "/.../..a/a.., /.../..a/a..",
    })
    void slashesAndDotsAreNormalized(String written, String normalized) {
        assertThat(AbsolutePath.of(written)).hasToString(normalized);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/..", "/a/..", "/a/../b", "/../a", "/a/b/.."})
    void dotDotIsRefusedAndNamed(String written) {
        assertThatThrownBy(() -> AbsolutePath.of(written))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'..'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a", "./a", "~", "a/b"})
    void aRelativePathIsRefused(String written) {
        assertThatThrownBy(() -> AbsolutePath.of(written))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not an absolute path");
    }

    @Test
    void aNulIsRefusedAndNamed() {
        assertThatThrownBy(() -> AbsolutePath.of("/a\0b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("NUL");
    }

    @Test
    void anyNumberOfLeadingSlashesIsOneSlash() {
        assertThat(AbsolutePath.of("/".repeat(200_000) + "a")).hasToString("/a");
    }

    @ParameterizedTest
    @CsvSource({
        "/a/b, /a/b/c, true",
        "/a/b, /a/b, true",
        "/a/b, /a/bc, false",
        "/a/b, /a, false",
        "/a/b, /a/B, false",
        "/, /a, true",
        "/, /, true",
        "/a, /, false",
    })
    void containsComparesComponentsAndNotPrefixesOfText(String outer, String inner, boolean expected) {
        assertThat(AbsolutePath.of(outer).contains(AbsolutePath.of(inner))).isEqualTo(expected);
    }

    @Test
    void strictlyContainsLeavesOutThePathItself() {
        AbsolutePath path = AbsolutePath.of("/a");
        assertThat(path.strictlyContains(path)).isFalse();
        assertThat(path.strictlyContains(AbsolutePath.of("/a/b"))).isTrue();
        assertThat(path.strictlyContains(AbsolutePath.of("/ab"))).isFalse();
    }

    @Test
    void theRootHasNoNameNoParentAndNoAncestors() {
        assertThat(AbsolutePath.ROOT.name()).isEmpty();
        assertThat(AbsolutePath.ROOT.parent()).isEmpty();
        assertThat(AbsolutePath.ROOT.ancestors()).isEmpty();
        assertThat(AbsolutePath.ROOT.components()).isEmpty();
    }

    @Test
    void ancestorsBeginWithTheRootAndEndWithTheParent() {
        assertThat(AbsolutePath.of("/a/b/c").ancestors())
                .isEqualTo(List.of(AbsolutePath.ROOT, AbsolutePath.of("/a"), AbsolutePath.of("/a/b")));
    }

    @Test
    void relativizeRefusesWhatDoesNotLieBelow() {
        assertThat(AbsolutePath.of("/a").relativize(AbsolutePath.of("/a/b/c"))).isEqualTo("b/c");
        assertThatThrownBy(() -> AbsolutePath.of("/a").relativize(AbsolutePath.of("/ab")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void componentsCannotBeChangedFromOutside() {
        assertThatThrownBy(() -> AbsolutePath.of("/a").components().add("b"))
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
