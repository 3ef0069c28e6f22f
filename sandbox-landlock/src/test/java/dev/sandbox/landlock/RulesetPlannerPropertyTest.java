package dev.sandbox.landlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.resolve.RuleSource;
import dev.sandbox.linux.landlock.FsRight;
import dev.sandbox.linux.landlock.LandlockAbi;
import dev.sandbox.linux.landlock.PathRule;
import dev.sandbox.testkit.FakeFileSystem;
import dev.sandbox.testkit.PlanView;
import dev.sandbox.testkit.PlannerContract;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Laws of planning, on no kernel at all. */
final class RulesetPlannerPropertyTest implements PlannerContract<RulesetPlan> {
    @Override
    public RulesetPlan plan(SessionRequest request, FakeFileSystem files) {
        return RulesetPlanner.plan(request.policy(), LandlockAbi.of(LandlockAbi.NEWEST_KNOWN));
    }

    /** Rules only add, so that what a person trusts is watched and not blocked. */
    @Override
    public ResolvedPolicy enforced(ResolvedPolicy resolved) {
        return resolved.withoutTrustRules();
    }

    /** The kernel gathers the rights of all rules on the way from the root, and asks for one of them. */
    @Override
    public PlanView view(RulesetPlan plan, FakeFileSystem files) {
        return (path, operation) -> {
            FsRight asked = switch (operation) {
                case READ -> FsRight.READ_FILE;
                case LIST -> FsRight.READ_DIR;
                case WRITE -> FsRight.WRITE_FILE;
                case EXEC -> FsRight.EXECUTE;
                case CREATE -> FsRight.MAKE_REG;
            };
            return plan.rules().stream()
                    .filter(rule -> rule.path().contains(path))
                    .anyMatch(rule -> rule.rights().contains(asked));
        };
    }

    @Property
    void everyRuleFitsItsKindAndIsNeverEmpty(
            @ForAll("grants") List<AccessRule> grants, @ForAll @IntRange(min = 1, max = 12) int abi) {
        RulesetPlan plan = plan(grants, abi);

        assertThat(plan.rules()).allSatisfy(rule -> {
            assertThat(rule.rights()).isNotEmpty();
            assertThat(plan.handledFs()).containsAll(rule.rights());
            if (rule.kind() != EntryKind.DIRECTORY) {
                assertThat(rule.rights()).allMatch(FsRight::appliesToFiles);
            }
        });
    }

    @Property
    void anOlderAbiHandlesASubset(
            @ForAll("grants") List<AccessRule> grants, @ForAll @IntRange(min = 2, max = 12) int abi) {
        RulesetPlan newer = plan(grants, abi);
        RulesetPlan older = plan(grants, abi - 1);

        assertThat(newer.handledFs()).containsAll(older.handledFs());
        for (PathRule rule : older.rules()) {
            Optional<PathRule> same = newer.rules().stream()
                    .filter(other -> other.path().equals(rule.path()))
                    .findFirst();
            assertThat(same)
                    .hasValueSatisfying(found -> assertThat(found.rights()).containsAll(rule.rights()));
        }
    }

    @Property
    void unknownNewerAbisArePlannedAsTheNewestKnown(
            @ForAll("grants") List<AccessRule> grants,
            @ForAll @IntRange(min = LandlockAbi.NEWEST_KNOWN, max = 99) int abi) {
        assertThat(plan(grants, abi)).isEqualTo(plan(grants, LandlockAbi.NEWEST_KNOWN));
    }

    private static RulesetPlan plan(List<AccessRule> grants, int abi) {
        AbsolutePath base = AbsolutePath.of("/w");
        ResolvedPolicy policy = ResolvedPolicy.builder()
                .policy(SandboxPolicy.builder().baseDir(base).build())
                .baseDir(base)
                .workDir(base)
                .rules(grants)
                .build();
        return RulesetPlanner.plan(policy, LandlockAbi.of(abi));
    }

    /** Paths of the same text have the same kind, as on a host. */
    @Provide
    Arbitrary<List<AccessRule>> grants() {
        Arbitrary<AbsolutePath> paths = Arbitraries.of("a", "b", "c")
                .list()
                .ofMinSize(1)
                .ofMaxSize(3)
                .map(names -> AbsolutePath.of("/" + String.join("/", names)));
        Arbitrary<Access> accesses = Arbitraries.of(Access.READ, Access.WRITE, Access.LIST, Access.DEVICE);
        return Combinators.combine(paths, accesses)
                .as((path, access) -> new AccessRule(
                        path,
                        path.name().equals("c") ? EntryKind.FILE : EntryKind.DIRECTORY,
                        access,
                        new RuleSource("k", 0, path.toString())))
                .list()
                .ofMaxSize(8);
    }
}
