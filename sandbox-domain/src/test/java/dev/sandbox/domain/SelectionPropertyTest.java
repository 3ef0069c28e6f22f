package dev.sandbox.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.ImpliedGuarantees;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.testkit.FakeBackend;
import dev.sandbox.testkit.FakeHostFiles;
import dev.sandbox.testkit.PolicyArbitraries;
import dev.sandbox.testkit.Scenario;
import dev.sandbox.testkit.TreeRoots;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** From a policy as written to the backend that gets it. */
class SelectionPropertyTest {
    @Provide
    Arbitrary<Scenario> demanding() {
        Arbitrary<Set<Guarantee>> required =
                Arbitraries.of(Guarantee.class).set().ofMaxSize(2);
        return Combinators.combine(PolicyArbitraries.validScenarios(TreeRoots.SHORT), required)
                .as((scenario, require) -> new Scenario(
                        scenario.files(),
                        SandboxPolicy.builder()
                                .from(scenario.policy())
                                .require(require)
                                .build()));
    }

    @Provide
    Arbitrary<List<FakeBackend>> candidates() {
        Arbitrary<Set<Guarantee>> held =
                Arbitraries.of(Guarantee.class).set().ofMinSize(12).ofMaxSize(Guarantee.values().length);
        return Combinators.combine(Arbitraries.of(BackendName.standard()), held)
                .as(FakeBackend::holding)
                .list()
                .uniqueElements(FakeBackend::name)
                .ofMaxSize(3);
    }

    @Provide
    Arbitrary<String> written() {
        return PolicyArbitraries.written(TreeRoots.SHORT);
    }

    @Property
    void noBackendGetsAPolicyOfWhichItLacksSomething(
            @ForAll("demanding") Scenario scenario, @ForAll("candidates") List<FakeBackend> candidates) {
        ResolvedPolicy resolved = scenario.resolve().orElseThrow();
        Optional<FakeBackend> chosen = chosen(scenario, candidates);
        if (chosen.isPresent()) {
            assertThat(chosen.get().assess().held())
                    .containsAll(resolved.policy().require());
            assertThat(chosen.get().assess().held()).contains(Guarantee.FS_READ, Guarantee.FS_WRITE);
            if (resolved.effectiveBlocks().findAny().isPresent()) {
                assertThat(chosen.get().assess().held()).contains(Guarantee.FS_CARVE_OUT);
            }
        } else {
            assertThat(candidates)
                    .allMatch(candidate -> !candidate.assess().held().containsAll(ImpliedGuarantees.of(resolved)));
        }
    }

    /** Nor does it open a way to a backend that was too weak before. */
    @Property
    void addingABlockNeverAsksForLess(
            @ForAll("demanding") Scenario scenario,
            @ForAll("written") String block,
            @ForAll boolean writesOnly,
            @ForAll("candidates") List<FakeBackend> candidates) {
        SandboxPolicy.Builder more = SandboxPolicy.builder().from(scenario.policy());
        Scenario blocked = new Scenario(
                scenario.files(),
                (writesOnly ? more.addBlockedWritePaths(block) : more.addBlockedPaths(block)).build());
        Optional<ResolvedPolicy> resolved = blocked.resolve();
        if (resolved.isPresent()) {
            assertThat(ImpliedGuarantees.of(resolved.get()))
                    .containsAll(ImpliedGuarantees.of(scenario.resolve().orElseThrow()));
            if (chosen(blocked, candidates).isPresent()) {
                assertThat(chosen(scenario, candidates)).isPresent();
            }
        }
    }

    private static Optional<FakeBackend> chosen(Scenario scenario, List<FakeBackend> candidates) {
        FakeHostFiles hostFiles = new FakeHostFiles(scenario.files());
        List<IsolationBackend> backends = List.copyOf(candidates);
        StandardSandbox sandbox = new StandardSandbox(scenario.host(), hostFiles, Map.of(), backends, () -> 0);
        try {
            Object name = sandbox.plan(scenario.policy()).document().get("backend");
            return candidates.stream()
                    .filter(candidate -> candidate.name().id().equals(name))
                    .findFirst();
        } catch (SandboxUnavailableException refused) {
            return Optional.empty();
        }
    }
}
