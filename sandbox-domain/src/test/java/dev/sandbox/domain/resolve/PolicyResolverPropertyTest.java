package dev.sandbox.domain.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.verdict.AccessOracle;
import dev.sandbox.domain.verdict.Operation;
import dev.sandbox.testkit.PathArbitraries;
import dev.sandbox.testkit.PolicyArbitraries;
import dev.sandbox.testkit.Scenario;
import dev.sandbox.testkit.TreeRoots;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PolicyResolverPropertyTest {
    @Provide
    Arbitrary<Scenario> scenarios() {
        return PolicyArbitraries.scenarios(TreeRoots.SHORT);
    }

    @Provide
    Arbitrary<Scenario> valid() {
        return PolicyArbitraries.validScenarios(TreeRoots.SHORT);
    }

    @Provide
    Arbitrary<AbsolutePath> paths() {
        return PathArbitraries.below("/w");
    }

    private record Essence(AbsolutePath path, EntryKind kind, Access access) {}

    private static Set<Essence> essence(ResolvedPolicy resolved) {
        return resolved.rules().stream()
                .map(rule -> new Essence(rule.path(), rule.kind(), rule.access()))
                .collect(Collectors.toSet());
    }

    @Property
    void theOrderOfGrantsDoesNotMatter(@ForAll("scenarios") Scenario scenario, @ForAll long seed) {
        Scenario other = scenario.shuffled(seed);
        assertThat(other.resolve().isPresent()).isEqualTo(scenario.resolve().isPresent());
        scenario.resolve().ifPresent(resolved -> {
            ResolvedPolicy again = other.resolve().orElseThrow();
            assertThat(essence(again)).isEqualTo(essence(resolved));
            assertThat(again.directoriesToCreate()).isEqualTo(resolved.directoriesToCreate());
            assertThat(again.skipped()).hasSameSizeAs(resolved.skipped());
            assertThat(PolicyDigest.of(again).equals(PolicyDigest.of(resolved)))
                    .isEqualTo(again.cacheBase().equals(resolved.cacheBase()));
        });
    }

    @Property
    void rulesAreCanonicalAndOnlyBlocksAreMissing(@ForAll("valid") Scenario scenario) {
        for (AccessRule rule : scenario.resolve().orElseThrow().rules()) {
            assertThat(scenario.files().kind(rule.path())).isNotEqualTo(EntryKind.SYMLINK);
            assertThat(rule.path().ancestors())
                    .noneMatch(above -> scenario.files().kind(above) == EntryKind.SYMLINK);
            assertThat(rule.kind() == EntryKind.MISSING && !rule.access().isBlock())
                    .isFalse();
        }
    }

    @Property
    void whatIsToBeCreatedIsMissingAndItsParentIsADirectoryOrCreatedToo(@ForAll("valid") Scenario scenario) {
        ResolvedPolicy resolved = scenario.resolve().orElseThrow();
        for (AbsolutePath path : resolved.directoriesToCreate()) {
            assertThat(scenario.files().kind(path)).isEqualTo(EntryKind.MISSING);
            AbsolutePath parent = path.parent().orElseThrow();
            assertThat(resolved.directoriesToCreate().contains(parent)
                            || scenario.files().kind(parent) == EntryKind.DIRECTORY)
                    .as("parent of %s", path)
                    .isTrue();
        }
    }

    @Property
    void relativeGrantsStayInsideBaseDir(@ForAll("valid") Scenario scenario) {
        assertThat(scenario.resolve().orElseThrow().rules())
                .filteredOn(rule ->
                        rule.source().index() >= 0 && !rule.source().written().startsWith("/"))
                .allMatch(rule -> AbsolutePath.of("/w").contains(rule.path()));
    }

    @Property
    void blocksThatAreNotEffectiveTakeNothing(
            @ForAll("valid") Scenario scenario, @ForAll("paths") AbsolutePath path, @ForAll Operation operation) {
        ResolvedPolicy resolved = scenario.resolve().orElseThrow();
        Set<AccessRule> effective = resolved.effectiveBlocks().collect(Collectors.toSet());
        ResolvedPolicy lean = ResolvedPolicy.builder()
                .from(resolved)
                .rules(resolved.rules().stream()
                        .filter(rule -> !rule.access().isBlock() || effective.contains(rule))
                        .toList())
                .build();
        assertThat(new AccessOracle(lean, scenario.host()).allows(path, operation))
                .isEqualTo(new AccessOracle(resolved, scenario.host()).allows(path, operation));
    }
}
