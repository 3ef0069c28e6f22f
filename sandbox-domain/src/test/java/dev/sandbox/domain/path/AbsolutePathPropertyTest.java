package dev.sandbox.domain.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.testkit.PathArbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class AbsolutePathPropertyTest {
    @Provide
    Arbitrary<AbsolutePath> paths() {
        return PathArbitraries.paths();
    }

    @Provide
    Arbitrary<AbsolutePath> near() {
        return PathArbitraries.below("/");
    }

    @Property
    void readingTheTextGivesThePathBack(@ForAll("paths") AbsolutePath path) {
        assertThat(AbsolutePath.of(path.toString())).isEqualTo(path).hasSameHashCodeAs(path);
    }

    @Property
    void orderAgreesWithEquality(@ForAll("near") AbsolutePath a, @ForAll("near") AbsolutePath b) {
        assertThat(a.compareTo(b) == 0).isEqualTo(a.equals(b));
        assertThat(Integer.signum(a.compareTo(b))).isEqualTo(-Integer.signum(b.compareTo(a)));
    }

    @Property
    void orderIsTransitive(
            @ForAll("near") AbsolutePath a, @ForAll("near") AbsolutePath b, @ForAll("near") AbsolutePath c) {
        if (a.compareTo(b) <= 0 && b.compareTo(c) <= 0) {
            assertThat(a.compareTo(c)).isLessThanOrEqualTo(0);
        }
    }

    @Property
    void parentsComeBeforeTheirChildren(@ForAll("paths") AbsolutePath path) {
        assertThat(path.ancestors()).isSorted().allMatch(above -> above.compareTo(path) < 0);
    }

    @Property
    void containsIsBeingEqualOrAnAncestor(@ForAll("near") AbsolutePath a, @ForAll("near") AbsolutePath b) {
        assertThat(a.contains(b)).isEqualTo(a.equals(b) || b.ancestors().contains(a));
        assertThat(a.strictlyContains(b)).isEqualTo(b.ancestors().contains(a));
    }

    @Property
    void relativizeAndResolveAreInverse(@ForAll("near") AbsolutePath a, @ForAll("near") AbsolutePath b) {
        if (a.contains(b)) {
            assertThat(a.resolve(a.relativize(b))).isEqualTo(b);
        }
    }
}
