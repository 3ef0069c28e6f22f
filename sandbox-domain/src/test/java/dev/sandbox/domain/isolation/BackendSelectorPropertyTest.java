package dev.sandbox.domain.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.testkit.FakeBackend;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class BackendSelectorPropertyTest {
    @Provide
    Arbitrary<List<IsolationBackend>> candidates() {
        Arbitrary<Set<Guarantee>> held =
                Arbitraries.of(Guarantee.class).set().ofMinSize(10).ofMaxSize(Guarantee.values().length);
        return Combinators.combine(Arbitraries.of(BackendName.standard()), held)
                .as((name, holds) -> (IsolationBackend) FakeBackend.holding(name, holds))
                .list()
                .uniqueElements(IsolationBackend::name)
                .ofMaxSize(3);
    }

    @Provide
    Arbitrary<Set<Guarantee>> needed() {
        return Arbitraries.of(Guarantee.class).set().ofMaxSize(4);
    }

    @Provide
    Arbitrary<Optional<BackendName>> wanted() {
        return Arbitraries.of(BackendName.standard()).optional();
    }

    @Property
    void theFirstThatHasAllIsChosenOrEverythingMissingIsNamed(
            @ForAll("candidates") List<IsolationBackend> candidates,
            @ForAll("wanted") Optional<BackendName> wanted,
            @ForAll("needed") Set<Guarantee> needed) {
        List<IsolationBackend> admitted = candidates.stream()
                .filter(candidate ->
                        wanted.map(name -> name.equals(candidate.name())).orElse(true))
                .toList();
        Optional<IsolationBackend> first = admitted.stream()
                .filter(candidate -> candidate.assess().held().containsAll(needed))
                .findFirst();
        try {
            IsolationBackend chosen = BackendSelector.select(candidates, wanted, needed);
            assertThat(chosen.assess().held()).containsAll(needed);
            assertThat(Optional.of(chosen)).isEqualTo(first);
        } catch (SandboxUnavailableException refused) {
            assertThat(first).isEmpty();
            for (IsolationBackend candidate : admitted) {
                for (Guarantee missing : candidate.assess().missing(needed)) {
                    assertThat(refused.problems())
                            .anyMatch(problem ->
                                    problem.where().equals(candidate.name().id())
                                            && problem.what().contains(missing.id())
                                            && problem.fix().contains("install " + missing.id()));
                }
            }
        }
    }
}
