package dev.sandbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.verdict.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.Test;

/** A failing example must be one that a person can read. */
final class ShrinkingTest {
    private static final int TRIES = 5000;
    private static final long SEED = 4711;
    private static final TreeRoots ROOTS = TreeRoots.SHORT;

    @Test
    void aPolicyThatLetsSomethingBeWrittenShrinksToOneGrant() {
        AbsolutePath path = ROOTS.base().resolve("a");
        Scenario smallest = smallest(
                PolicyArbitraries.validScenarios(ROOTS),
                scenario -> scenario.oracle(scenario.resolve().orElseThrow()).allows(path, Operation.WRITE));

        assertThat(smallest.policy().writePaths()).hasSize(1);
        assertThat(smallest.policy().readPaths()).isEmpty();
        assertThat(smallest.policy().listPaths()).isEmpty();
        assertThat(smallest.policy().blockedPaths()).isEmpty();
        assertThat(smallest.policy().blockedWritePaths()).isEmpty();
    }

    @Test
    void aTreeWithALinkThatLeavesShrinksToThatLink() {
        FakeFileSystem smallest = smallest(
                TreeArbitraries.trees(ROOTS),
                files -> files.paths().stream()
                        .filter(ROOTS.base()::contains)
                        .anyMatch(path ->
                                ROOTS.outside().contains(files.stat(path).path())));

        assertThat(smallest.paths()).hasSize(4).contains(AbsolutePath.ROOT, ROOTS.base(), ROOTS.outside());
    }

    @Test
    void aSampleOnADiskShrinksToOneEntry() {
        DiskSample smallest =
                smallest(DiskSample.samples(), sample -> sample.grants().containsKey("blocked_paths"));

        assertThat(smallest.links()).isEmpty();
        assertThat(smallest.grants()).hasSize(1);
        assertThat(smallest.grants().get("blocked_paths")).hasSize(1);
        assertThat(smallest.directories()).contains("a", "a/b");
    }

    @Test
    void aNameThatIsNotOneOfTheFewShrinksToAShortOne() {
        assertThat(smallest(HostileNames.names(), name -> name.contains(" "))).hasSizeLessThanOrEqualTo(3);
    }

    /** As jqwik goes: the first of the smaller ones that fails as well, until none does. */
    private static <T> T smallest(Arbitrary<T> arbitrary, Predicate<T> fails) {
        List<T> found = new ArrayList<>();
        JqwikSession.run(() -> {
            RandomGenerator<T> generator = arbitrary.generator(TRIES);
            Random random = new Random(SEED);
            Shrinkable<T> smallest = Stream.generate(() -> generator.next(random))
                    .limit(TRIES)
                    .filter(made -> fails.test(made.value()))
                    .findFirst()
                    .orElseThrow();
            Optional<Shrinkable<T>> smaller = Optional.of(smallest);
            while (smaller.isPresent()) {
                smallest = smaller.get();
                smaller = smallest.shrink()
                        .filter(next -> fails.test(next.value()))
                        .findFirst();
            }
            found.add(smallest.value());
        });
        return found.get(0);
    }
}
