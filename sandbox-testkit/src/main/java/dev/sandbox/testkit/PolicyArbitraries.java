package dev.sandbox.testkit;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.PolicyResolver;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.resolve.SystemBaseline;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Policies over the small trees of {@link PathArbitraries}. */
public final class PolicyArbitraries {
    private PolicyArbitraries() {}

    /** A policy together with the tree it is about. */
    public record Scenario(FakeFileSystem files, SandboxPolicy policy) {
        /** The tree as a host without a baseline. */
        public Host host() {
            return new Host(files, SystemBaseline.of(List.of()), List.of());
        }

        /** The resolved policy; absent when it is invalid on this tree. */
        public Optional<ResolvedPolicy> resolve() {
            try {
                return Optional.of(PolicyResolver.resolve(policy, host()));
            } catch (PolicyInvalidException e) {
                return Optional.empty();
            }
        }
    }

    /** A path as a user may write it: relative to /w, or absolute. */
    public static Arbitrary<String> written() {
        return Arbitraries.oneOf(
                PathArbitraries.below("/w").map(AbsolutePath::toString),
                PathArbitraries.below("/x").map(AbsolutePath::toString),
                PathArbitraries.fewNames().list().ofMinSize(1).ofMaxSize(3).map(names -> String.join("/", names)));
    }

    /** Policies with base_dir /w. */
    public static Arbitrary<SandboxPolicy> policies() {
        Arbitrary<List<String>> some = written().list().ofMaxSize(3);
        Arbitrary<List<String>> few = written().list().ofMaxSize(2);
        return Combinators.combine(some, some, few, few, few)
                .as((read, write, list, blocked, blockedWrite) -> SandboxPolicy.builder()
                        .baseDir(AbsolutePath.of("/w"))
                        .readPaths(read)
                        .writePaths(write)
                        .listPaths(list)
                        .blockedPaths(blocked)
                        .blockedWritePaths(blockedWrite)
                        .build());
    }

    /** Trees with policies, valid or not. */
    public static Arbitrary<Scenario> scenarios() {
        return Combinators.combine(PathArbitraries.trees(), policies()).as(Scenario::new);
    }

    /** Trees with policies that are valid on them. */
    public static Arbitrary<Scenario> validScenarios() {
        return scenarios().filter(scenario -> scenario.resolve().isPresent());
    }
}
