package dev.sandbox.testkit;

import dev.sandbox.domain.environment.EnvironmentPlan;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.PolicyResolver;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.resolve.SystemBaseline;
import dev.sandbox.domain.verdict.AccessOracle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A policy together with the tree it is about.
 *
 * @param files the tree; mutable, and not to be changed here
 * @param policy as somebody wrote it; perhaps invalid on this tree
 */
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

    /** What decides under a policy that was resolved on this tree. */
    public AccessOracle oracle(ResolvedPolicy resolved) {
        return new AccessOracle(resolved, host());
    }

    /** The same tree under another policy. */
    public Scenario with(SandboxPolicy other) {
        return new Scenario(files, other);
    }

    /** The same with each of the policy's lists in another order. */
    public Scenario shuffled(long seed) {
        return with(SandboxPolicy.builder()
                .from(policy)
                .readPaths(shuffled(policy.readPaths(), seed))
                .writePaths(shuffled(policy.writePaths(), seed))
                .listPaths(shuffled(policy.listPaths(), seed))
                .blockedPaths(shuffled(policy.blockedPaths(), seed))
                .blockedWritePaths(shuffled(policy.blockedWritePaths(), seed))
                .build());
    }

    private static List<String> shuffled(List<String> list, long seed) {
        List<String> copy = new ArrayList<>(list);
        Collections.shuffle(copy, new Random(seed));
        return copy;
    }

    /** What a planner is given for a policy that was resolved on this tree; no variable is set. */
    public static SessionRequest request(ResolvedPolicy resolved) {
        return new SessionRequest(resolved, EnvironmentPlan.builder().build());
    }
}
