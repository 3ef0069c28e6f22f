package dev.sandbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** What the arbitraries make, and that enough of it is worth making. */
final class ArbitrariesPropertyTest {
    private static final TreeRoots ROOTS = TreeRoots.of("/srv/job 1/work", "/home/o'neil/shared");

    @Provide
    Arbitrary<Scenario> scenarios() {
        return PolicyArbitraries.scenarios(ROOTS);
    }

    @Provide
    Arbitrary<FakeFileSystem> trees() {
        return TreeArbitraries.trees(ROOTS);
    }

    @Provide
    Arbitrary<String> hostileNames() {
        return HostileNames.names();
    }

    @Provide
    Arbitrary<CommandArbitraries.Printing> printing() {
        return CommandArbitraries.printing();
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void treesGrowBelowTheirRootsAndHoldLinksOfEveryKind(@ForAll("trees") FakeFileSystem files) {
        boolean dangling = false;
        boolean leaving = false;
        for (AbsolutePath path : files.paths()) {
            boolean below = ROOTS.base().contains(path) || ROOTS.outside().contains(path);
            boolean above = path.contains(ROOTS.base()) || path.contains(ROOTS.outside());
            assertThat(below || above).as("%s", path).isTrue();
            if (files.kind(path) == EntryKind.SYMLINK) {
                FakeFileSystem.Place end = files.stat(path);
                dangling |= end.kind() == EntryKind.MISSING;
                leaving |= ROOTS.base().contains(path) && !ROOTS.base().contains(end.path());
            }
        }
        Statistics.label("dangling link").collect(dangling);
        Statistics.label("dangling link")
                .coverage(coverage -> coverage.check(true).percentage(p -> p > 20));
        Statistics.label("link that leaves").collect(leaving);
        Statistics.label("link that leaves")
                .coverage(coverage -> coverage.check(true).percentage(p -> p > 5));
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void scenariosAreValidOftenEnoughAndTheirBlocksOftenTakeSomething(@ForAll("scenarios") Scenario scenario) {
        Optional<ResolvedPolicy> resolved = scenario.resolve();
        Statistics.label("valid").collect(resolved.isPresent());
        Statistics.label("valid").coverage(coverage -> {
            coverage.check(true).percentage(p -> p > 10);
            coverage.check(false).percentage(p -> p > 10);
        });
        resolved.ifPresent(policy -> {
            boolean grants = policy.grants().anyMatch(rule -> ROOTS.base().contains(rule.path()));
            Statistics.label("grants").collect(grants);
            Statistics.label("grants").coverage(coverage -> coverage.check(true).percentage(p -> p > 40));
            Statistics.label("effective blocks")
                    .collect(policy.effectiveBlocks().findAny().isPresent());
            Statistics.label("effective blocks")
                    .coverage(coverage -> coverage.check(true).percentage(p -> p > 5));
            assertThat(policy.rules()).extracting(AccessRule::path).doesNotContainNull();
        });
    }

    @Property
    void hostileNamesAreNamesAndSurviveUtf8(@ForAll("hostileNames") String name) {
        assertThat(AbsolutePath.of("/").resolve(name).name()).isEqualTo(name);
        assertThat(new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                .isEqualTo(name);
        assertThat(name.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(255);
    }

    @Property
    void aCommandThatPrintsSaysWhatItPrints(@ForAll("printing") CommandArbitraries.Printing printing) {
        String last = printing.command().argv().get(printing.command().argv().size() - 1);
        assertThat(printing.expected()).endsWith(last + "\0");
        Statistics.collect(printing.command().program().equals("printf") ? "program" : "shell");
        Statistics.coverage(coverage -> coverage.check("shell").percentage(p -> p > 20));
    }
}
