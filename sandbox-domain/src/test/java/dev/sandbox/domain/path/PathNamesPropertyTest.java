package dev.sandbox.domain.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.testkit.FakeFileSystem;
import dev.sandbox.testkit.PathArbitraries;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

class PathNamesPropertyTest {
    @Provide
    Arbitrary<FakeFileSystem> trees() {
        return PathArbitraries.trees();
    }

    @Provide
    Arbitrary<AbsolutePath> asked() {
        return PathArbitraries.below("/w");
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
            for (AbsolutePath name : PathNames.of(path, files)) {
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
        assertThat(PathNames.of(AbsolutePath.of("/w/link/sub"), files))
                .isEqualTo(List.of(AbsolutePath.of("/w/link/sub"), AbsolutePath.of("/w/second/sub")));
        assertThat(PathNames.of(AbsolutePath.of("/data/real/sub"), files)).isEmpty();
    }

    @Example
    void linksThatLoopEnd() {
        FakeFileSystem files = new FakeFileSystem().symlink("/w/a", "b").symlink("/w/b", "a");
        assertThat(PathNames.of(AbsolutePath.of("/w/a"), files)).isNotEmpty();
    }
}
