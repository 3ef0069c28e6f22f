package dev.sandbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.isolation.IsolationPlan;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.verdict.AccessOracle;
import dev.sandbox.domain.verdict.Operation;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/**
 * The laws of a planner, as properties: what its plan gives is what the oracle says, and it depends on the policy alone. Needs no
 * kernel and no privilege. A test implements it and says how its plans are read:
 *
 * <pre>
 * final class OwnPlannerTest implements PlannerContract&lt;OwnPlan&gt; {
 *     public OwnPlan plan(SessionRequest request, FakeFileSystem files) { return OwnPlanner.plan(request); }
 *     public PlanView view(OwnPlan plan, FakeFileSystem files) { return (path, operation) -> ...; }
 * }
 * </pre>
 *
 * @param <P> the plan
 */
public interface PlannerContract<P extends IsolationPlan> {
    /**
     * Plans.
     *
     * @param files the file system that the policy was resolved on
     * @throws SandboxUnavailableException when this mechanism cannot express the policy
     */
    P plan(SessionRequest request, FakeFileSystem files);

    /** How the mechanism reads a plan. */
    PlanView view(P plan, FakeFileSystem files);

    /** What a plan decides of. Of an operation that is left out nothing is compared. */
    default Set<Operation> operations() {
        return EnumSet.allOf(Operation.class);
    }

    /** What the backend makes of a policy before it plans. */
    default ResolvedPolicy enforced(ResolvedPolicy resolved) {
        return resolved;
    }

    /** Where the trees grow. */
    default TreeRoots roots() {
        return TreeRoots.SHORT;
    }

    /** Trees and policies that are valid on them. */
    @Provide
    default Arbitrary<Scenario> plannerScenarios() {
        return PolicyArbitraries.validScenarios(roots());
    }

    /** For every path that is there, for a new name in each folder, and for what is blocked before it exists. */
    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    default void aPlanGivesWhatTheOracleSays(@ForAll("plannerScenarios") Scenario scenario) {
        ResolvedPolicy enforced = enforced(scenario.resolve().orElseThrow());
        Optional<P> plan = planned(enforced, scenario.files());
        Statistics.label("plan").collect(plan.isPresent() ? "planned" : "refused");
        Statistics.label("plan").coverage(coverage -> coverage.check("planned").percentage(p -> p > 10));
        if (plan.isEmpty()) {
            return;
        }
        AccessOracle oracle = scenario.oracle(enforced);
        PlanView view = view(plan.get(), scenario.files());
        Set<Boolean> verdicts = new HashSet<>();
        questions(enforced, scenario.files()).forEach((path, operations) -> {
            for (Operation operation : operations) {
                boolean expected = oracle.allows(path, operation);
                verdicts.add(expected);
                assertThat(view.allows(path, operation))
                        .as(
                                "%s %s, by the plan%n%s",
                                operation.id(),
                                path,
                                String.join("\n", plan.get().lines()))
                        .isEqualTo(expected);
            }
        });
        Statistics.label("verdicts").collect(verdicts.size() == 2 ? "both" : "one kind");
        Statistics.label("verdicts").coverage(coverage -> coverage.check("both").percentage(p -> p > 20));
    }

    private Map<AbsolutePath, Set<Operation>> questions(ResolvedPolicy enforced, FakeFileSystem files) {
        Map<AbsolutePath, Set<Operation>> questions = new TreeMap<>();
        for (AbsolutePath path : files.paths()) {
            EntryKind kind = files.kind(path);
            questions.put(path, asked(kind));
            if (kind == EntryKind.DIRECTORY) {
                questions.put(path.resolve("new"), asked(EntryKind.MISSING));
            }
        }
        enforced.rules().stream()
                .filter(rule -> rule.access().isBlock())
                .map(AccessRule::path)
                .filter(path -> files.kind(path) == EntryKind.MISSING)
                .filter(path -> path.parent()
                        .filter(folder -> files.kind(folder) == EntryKind.DIRECTORY)
                        .isPresent())
                .forEach(path -> questions.put(path, asked(EntryKind.MISSING)));
        return questions;
    }

    private Set<Operation> asked(EntryKind kind) {
        Set<Operation> asked = switch (kind) {
            case DIRECTORY -> EnumSet.of(Operation.LIST);
            case FILE -> EnumSet.of(Operation.READ, Operation.WRITE, Operation.EXEC);
            case MISSING -> EnumSet.of(Operation.CREATE);
            // A socket is no file to open, a link is followed, and of what this account may not look at nothing is
            // known.
            case SOCKET, SYMLINK, DENIED, DEVICE, FIFO -> EnumSet.noneOf(Operation.class);
        };
        asked.retainAll(operations());
        return asked;
    }

    /** A plan can be compared with another, and cached: it does not depend on how the policy was written down. */
    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    default void aPlanDoesNotDependOnTheOrderOfGrants(
            @ForAll("plannerScenarios") Scenario scenario, @ForAll long seed) {
        ResolvedPolicy one = enforced(scenario.resolve().orElseThrow());
        ResolvedPolicy other = enforced(scenario.shuffled(seed).resolve().orElseThrow());
        assertThat(planned(other, scenario.files()).map(IsolationPlan::lines))
                .isEqualTo(planned(one, scenario.files()).map(IsolationPlan::lines));
    }

    private Optional<P> planned(ResolvedPolicy enforced, FakeFileSystem files) {
        try {
            return Optional.of(plan(Scenario.request(enforced), files));
        } catch (SandboxUnavailableException cannotExpress) {
            return Optional.empty();
        }
    }
}
