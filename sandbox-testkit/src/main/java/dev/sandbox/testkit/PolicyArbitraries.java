package dev.sandbox.testkit;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Policies over the small trees of {@link TreeArbitraries}. Only what concerns paths is set; the rest is as by default. */
public final class PolicyArbitraries {
    private PolicyArbitraries() {}

    /** A path as a user may write it: relative to the base, or absolute below either root. */
    public static Arbitrary<String> written(TreeRoots roots) {
        return Arbitraries.oneOf(
                PathArbitraries.below(roots.base()).map(AbsolutePath::toString),
                PathArbitraries.below(roots.outside()).map(AbsolutePath::toString),
                PathArbitraries.fewNames().list().ofMinSize(1).ofMaxSize(3).map(names -> String.join("/", names)));
    }

    /** Policies with this base; shrinks towards the empty policy, which grants nothing. */
    public static Arbitrary<SandboxPolicy> policies(TreeRoots roots) {
        Arbitrary<List<String>> some = written(roots).list().ofMaxSize(3);
        Arbitrary<List<String>> few = written(roots).list().ofMaxSize(2);
        return Combinators.combine(some, some, few, few, few)
                .as((read, write, list, blocked, blockedWrite) -> SandboxPolicy.builder()
                        .baseDir(roots.base())
                        .readPaths(read)
                        .writePaths(write)
                        .listPaths(list)
                        .blockedPaths(blocked)
                        .blockedWritePaths(blockedWrite)
                        .build());
    }

    /** Trees with policies, valid or not: most mistakes that a policy can hold occur. */
    public static Arbitrary<Scenario> scenarios(TreeRoots roots) {
        return Combinators.combine(TreeArbitraries.trees(roots), policies(roots))
                .as(Scenario::new);
    }

    /** Trees with policies that are valid on them. */
    public static Arbitrary<Scenario> validScenarios(TreeRoots roots) {
        return scenarios(roots).filter(scenario -> scenario.resolve().isPresent());
    }
}
