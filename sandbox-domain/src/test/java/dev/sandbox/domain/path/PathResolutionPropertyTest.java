package dev.sandbox.domain.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.testkit.FakeFileSystem;
import dev.sandbox.testkit.PathArbitraries;
import dev.sandbox.testkit.TreeArbitraries;
import dev.sandbox.testkit.TreeRoots;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

class PathResolutionPropertyTest {
    @Provide
    Arbitrary<FakeFileSystem> trees() {
        return TreeArbitraries.trees(TreeRoots.SHORT);
    }

    @Provide
    Arbitrary<AbsolutePath> asked() {
        return PathArbitraries.below("/w");
    }

    @Property
    void noComponentOfTheResultIsALinkUnlessLinksLoop(
            @ForAll("trees") FakeFileSystem files, @ForAll("asked") AbsolutePath asked) {
        Set<AbsolutePath> all = files.paths();
        all.add(asked);
        for (AbsolutePath path : all) {
            PathResolution found = PathResolution.follow(path, files);
            if (found.kind() != EntryKind.SYMLINK) {
                assertThat(found.path().ancestors()).noneMatch(above -> files.kind(above) == EntryKind.SYMLINK);
                assertThat(files.kind(found.path())).isNotEqualTo(EntryKind.SYMLINK);
            }
        }
    }

    @Property
    void itFindsWhatTheKernelFinds(@ForAll("trees") FakeFileSystem files, @ForAll("asked") AbsolutePath asked) {
        Set<AbsolutePath> all = files.paths();
        all.add(asked);
        for (AbsolutePath path : all) {
            PathResolution found = PathResolution.follow(path, files);
            FakeFileSystem.Place expected = files.stat(path);
            boolean ends = ends(expected);
            if (ends && found.kind() == EntryKind.SYMLINK) {
                continue;
            }
            assertThat(found.kind()).as("kind of %s", path).isEqualTo(expected.kind());
            if (!ends) {
                assertThat(found.path()).isEqualTo(expected.path());
            }
        }
    }

    /** Before the end. Links may loop behind such an obstacle: the kernel does not get there, and a loop is refused, too. */
    private static boolean ends(FakeFileSystem.Place place) {
        return place.kind() == EntryKind.MISSING || place.kind() == EntryKind.DENIED;
    }

    /** No list: see {@link PathArbitraries#below}. */
    @Provide
    Arbitrary<String> written() {
        Arbitrary<String> name = Arbitraries.of("a", "b", "ab", "..", "..", ".", "");
        return Combinators.combine(name, name, name, name, name)
                .as((first, second, third, fourth, fifth) -> String.join("/", first, second, third, fourth, fifth));
    }

    /** The fake's own walk over the text, with {@code ..} in it, is what the kernel does. */
    @Property
    void aWrittenTextNamesWhatTheKernelFinds(@ForAll("trees") FakeFileSystem files, @ForAll("written") String written) {
        AbsolutePath base = AbsolutePath.of("/w");
        FakeFileSystem.Place expected = files.stat("/w/" + written);
        try {
            PathResolution found = PathResolution.follow(PathResolution.named(base, "./" + written, files), files);
            Statistics.label("named").collect(expected.kind());
            if (!ends(expected) || found.kind() != EntryKind.SYMLINK) {
                assertThat(found.kind()).isEqualTo(expected.kind());
            }
            if (expected.kind() == EntryKind.DIRECTORY || expected.kind() == EntryKind.FILE) {
                assertThat(found.path()).isEqualTo(expected.path());
            }
        } catch (IllegalArgumentException refused) {
            Statistics.label("refused").collect(expected.kind());
            assertThat(expected.kind()).isNotIn(EntryKind.DIRECTORY, EntryKind.FILE, EntryKind.SOCKET);
        }
    }

    @Property
    void followingTwiceLeadsNoFurther(@ForAll("trees") FakeFileSystem files, @ForAll("asked") AbsolutePath asked) {
        PathResolution once = PathResolution.follow(asked, files);
        if (once.kind() != EntryKind.SYMLINK) {
            assertThat(PathResolution.follow(once.path(), files).path()).isEqualTo(once.path());
        }
    }

    @Property
    void everyNameLeadsWhereThePathLeadsAndGoesThroughALink(
            @ForAll("trees") FakeFileSystem files, @ForAll("asked") AbsolutePath asked) {
        Set<AbsolutePath> all = files.paths();
        all.add(asked);
        int names = 0;
        for (AbsolutePath path : all) {
            PathResolution end = PathResolution.follow(path, files);
            if (end.kind() == EntryKind.SYMLINK) {
                continue;
            }
            for (AbsolutePath name : end.names()) {
                names++;
                assertThat(PathResolution.follow(name, files).path()).isEqualTo(end.path());
                assertThat(name).isNotEqualTo(end.path());
            }
        }
        Statistics.label("links on the way").collect(names > 0);
        Statistics.label("links on the way")
                .coverage(checker -> checker.check(true).percentage(share -> share > 10));
    }

    @Example
    void eachLinkOnTheWayGivesAName() {
        FakeFileSystem files = new FakeFileSystem()
                .directory("/data/real/sub")
                .symlink("/w/link", "second")
                .symlink("/w/second", "/data/real");
        assertThat(PathResolution.follow(AbsolutePath.of("/w/link/sub"), files).names())
                .isEqualTo(List.of(AbsolutePath.of("/w/link/sub"), AbsolutePath.of("/w/second/sub")));
        assertThat(PathResolution.follow(AbsolutePath.of("/data/real/sub"), files)
                        .names())
                .isEmpty();
    }

    @Example
    void linksThatLoopEnd() {
        FakeFileSystem files = new FakeFileSystem().symlink("/w/a", "b").symlink("/w/b", "a");
        assertThat(PathResolution.follow(AbsolutePath.of("/w/a"), files).names())
                .isNotEmpty();
    }
}
