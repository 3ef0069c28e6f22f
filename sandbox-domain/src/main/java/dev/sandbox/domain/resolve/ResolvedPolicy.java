package dev.sandbox.domain.resolve;

import dev.sandbox.domain.ValueStyle;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.verdict.Operation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.immutables.value.Value;

/**
 * A policy after every path was followed to where it leads on one host. Canonical, sorted and independent of the order in which
 * the policy was written. Immutable, thread-safe.
 */
@Value.Immutable
@ValueStyle
public interface ResolvedPolicy {
    /** The policy as written, for its settings that are no paths. */
    SandboxPolicy policy();

    /** Canonical base_dir. */
    AbsolutePath baseDir();

    /** Canonical work_dir: an existing directory, or one of {@link #directoriesToCreate}. */
    AbsolutePath workDir();

    /** All rules, sorted: a rule for a parent comes before those for its children. Baseline included. */
    @Value.NaturalOrder
    SortedSet<AccessRule> rules();

    /** Names that lead to what a grant gives through symbolic links, each with the canonical path: they work inside as well. */
    @Value.NaturalOrder
    SortedMap<AbsolutePath, AbsolutePath> names();

    /** The caller's own tools that the policy gives, in the order of its PATH. */
    List<Toolchain> toolchains();

    /** Missing directories that are made before the step starts, parents first. */
    @Value.NaturalOrder
    SortedSet<AbsolutePath> directoriesToCreate();

    /** The directory under which caches, user installs and HOME are kept; absent: nothing is redirected. */
    Optional<AbsolutePath> cacheBase();

    /** The directory under which TMPDIR is kept; absent: not redirected. */
    Optional<AbsolutePath> tmpBase();

    /** Sockets of services that the policy hands over by name; each is one, and in a grant. */
    @Value.NaturalOrder
    SortedSet<AbsolutePath> allowedSockets();

    /** As whom the step runs, when that is another than the caller. */
    Optional<Identity> runAs();

    /** Grants that were left out, for people. */
    List<SkippedGrant> skipped();

    /** What else its author should know, for people. */
    List<String> notes();

    /** What a person's own tools run or obey inside the write grants; a change is told after the run. */
    @Value.NaturalOrder
    SortedSet<AbsolutePath> watched();

    /** The same for a backend that cannot block inside a grant: what a person trusts is watched only. */
    default ResolvedPolicy withoutTrustRules() {
        if (rules().stream().noneMatch(AccessRule::isTrustHandoff)) {
            return this;
        }
        return builder()
                .from(this)
                .rules(rules().stream().filter(rule -> !rule.isTrustHandoff()).toList())
                .build();
    }

    /** The same for a backend whose steps have a /dev of their own: nothing of the host's is shared. */
    default ResolvedPolicy withoutHostDevices() {
        if (policy().hostDevices().isEmpty()) {
            return this;
        }
        return builder()
                .from(this)
                .rules(rules().stream()
                        .filter(rule -> !rule.source().key().equals(RuleSource.HOST_DEVICES))
                        .toList())
                .build();
    }

    /** The rules that give. */
    default Stream<AccessRule> grants() {
        return rules().stream().filter(rule -> !rule.access().isBlock());
    }

    /** The rules of the policy that take and have something to take: those inside, or around, what a grant gives. */
    default Stream<AccessRule> effectiveBlocks() {
        return rules().stream()
                .filter(rule -> !rule.isTrustHandoff())
                .filter(rule -> rule.access().isBlock() && grants().anyMatch(grant -> meets(grant, rule)));
    }

    private static boolean meets(AccessRule grant, AccessRule block) {
        boolean takes = Arrays.stream(Operation.values())
                .anyMatch(operation ->
                        grant.access().concerns(operation) && block.access().concerns(operation));
        return takes && (grant.covers(block.path()) || block.path().contains(grant.path()));
    }

    static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link ResolvedPolicy}. */
    final class Builder extends ImmutableResolvedPolicy.Builder {}
}
