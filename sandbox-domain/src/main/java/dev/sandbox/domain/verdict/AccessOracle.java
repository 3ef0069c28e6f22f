package dev.sandbox.domain.verdict;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.path.PathResolution;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.PolicyResolver;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.resolve.RuleSource;
import dev.sandbox.domain.resolve.SkippedGrant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The one model of a policy: decides for a path and an operation, and names the rule. {@code explain}, the texts of denials and
 * the property tests ask it; every backend must agree with it where its guarantees promise so. Grants add up; a block wins over
 * every grant. Thread-safe when its view is.
 */
public final class AccessOracle {
    private final ResolvedPolicy policy;
    private final Host host;
    private final FileSystemView files;
    private final Optional<StepView> step;

    /**
     * An oracle.
     *
     * @param host against which the policy was resolved, and any change that would allow more is tried
     */
    public AccessOracle(ResolvedPolicy policy, Host host) {
        this(policy, host, Sight.OPERATOR);
    }

    /** One that tells of the host what is seen with this sight; nothing else, not even whether it exists, changes an answer. */
    public AccessOracle(ResolvedPolicy policy, Host host, Sight sight) {
        this.policy = policy;
        this.host = host;
        this.step = sight == Sight.OPERATOR ? Optional.empty() : Optional.of(new StepView(policy, host.files(), sight));
        this.files = step.<FileSystemView>map(view -> view).orElse(host.files());
    }

    /**
     * The path that a text names, relative to base_dir.
     *
     * @throws IllegalArgumentException as {@link PathResolution#named}
     */
    public AbsolutePath named(String written) {
        return PathResolution.named(policy.baseDir(), written, files);
    }

    /** Decides, following the links in the path as the kernel would. */
    public Verdict decide(AbsolutePath asked, Operation operation) {
        PathResolution found = resolve(asked, operation);
        Optional<AccessRule> block = block(found.path(), operation);
        if (block.isPresent()) {
            return denied(
                    asked, operation, found, block, "blocked by " + block.get().source(), fix(block.get()));
        }
        Optional<AccessRule> grant = grant(found.path(), operation);
        if (grant.isPresent()) {
            String reason = "granted by " + grant.get().source();
            return new Verdict(
                    asked,
                    operation,
                    Verdict.Decision.ALLOWED,
                    found.path(),
                    found.kind(),
                    found.steps(),
                    grant,
                    reason,
                    "");
        }
        return denied(asked, operation, found);
    }

    /** True when the policy allows it. */
    public boolean allows(AbsolutePath path, Operation operation) {
        AbsolutePath found = resolve(path, operation).path();
        return block(found, operation).isEmpty() && grant(found, operation).isPresent();
    }

    /**
     * The same question with the step's account in mind: where a caller that is root, or the identity that it gave the step, may not
     * have what the policy grants, a denial that says so. Absent when nothing is known to be in the way.
     */
    public Optional<Verdict> outOfReach(AbsolutePath asked, Operation operation) {
        PathResolution found = resolve(asked, operation);
        return new AccountReach(policy, files.details())
                .obstacle(found.path(), operation)
                .map(obstacle -> denied(
                        asked, operation, found, grant(found.path(), operation), obstacle.reason(), obstacle.fix()));
    }

    private static String fix(AccessRule block) {
        return block.isTrustHandoff()
                ? "trust_handoff: {remove: [" + block.source().written() + "]}"
                : "";
    }

    private PathResolution resolve(AbsolutePath asked, Operation operation) {
        return operation == Operation.CREATE ? followParent(asked) : PathResolution.follow(asked, files);
    }

    private Optional<AccessRule> block(AbsolutePath path, Operation operation) {
        return deciding(rule -> rule.access().isBlock() && takes(rule, path, operation))
                .map(rule -> step.isEmpty()
                        ? rule
                        : new AccessRule(rule.path(), EntryKind.MISSING, rule.access(), rule.source()));
    }

    private Optional<AccessRule> grant(AbsolutePath path, Operation operation) {
        return deciding(rule -> gives(rule, path, operation));
    }

    /** A name is created in the directory that holds it; a link in its place is not followed. */
    private PathResolution followParent(AbsolutePath asked) {
        if (asked.parent().isEmpty()) {
            return PathResolution.follow(asked, files);
        }
        PathResolution parent = PathResolution.follow(asked.parent().get(), files);
        AbsolutePath name = parent.path().resolve(asked.name());
        return new PathResolution(name, files.kind(name), parent.links());
    }

    /** Creating or removing a name above a blocked path would carry the block away. */
    private static boolean takes(AccessRule block, AbsolutePath path, Operation operation) {
        return (block.access().concerns(operation) && block.path().contains(path))
                || (operation == Operation.CREATE && path.contains(block.path()));
    }

    private static boolean gives(AccessRule rule, AbsolutePath path, Operation operation) {
        if (rule.access().isBlock() || !rule.access().concerns(operation)) {
            return false;
        }
        return operation == Operation.CREATE
                ? rule.kind() == EntryKind.DIRECTORY && rule.path().strictlyContains(path)
                : rule.covers(path);
    }

    /** The innermost rule that fits; among equals the policy's own before the baseline's. */
    private Optional<AccessRule> deciding(Predicate<AccessRule> fits) {
        return policy.rules().stream()
                .filter(fits)
                .max(Comparator.comparing(
                                (AccessRule rule) -> rule.path().components().size())
                        .thenComparing(rule -> !rule.source().key().equals(RuleSource.BASELINE)));
    }

    private String reason(AbsolutePath path, Operation operation) {
        return covering(path)
                .map(rule -> rule.source() + " gives " + rule.access().id() + ", not " + operation.id())
                .findFirst()
                .orElse("no grant covers it");
    }

    private Stream<AccessRule> covering(AbsolutePath path) {
        return policy.grants().filter(rule -> rule.covers(path)).sorted(Comparator.reverseOrder());
    }

    /** Names the smallest change that allows it, or why none does or is proposed: each is tried before it is told. */
    private Verdict denied(AbsolutePath asked, Operation operation, PathResolution found) {
        String reason = reason(found.path(), operation);
        String obstacle = "";
        for (PolicyChange change : PolicyChange.candidates(policy.policy(), found, operation, files)) {
            Optional<String> objection = SecretPlaces.objection(change.path(), policy.policy());
            if (objection.isPresent()) {
                return denied(
                        asked,
                        operation,
                        found,
                        Optional.empty(),
                        reason + "; no grant is proposed: " + objection.get(),
                        "");
            }
            Optional<String> refused = obstacle(change, asked, operation, found.path());
            if (refused.isEmpty()) {
                return denied(asked, operation, found, Optional.empty(), reason, change.text());
            }
            obstacle = refused.get();
        }
        return denied(asked, operation, found, Optional.empty(), reason + ", and none can: " + obstacle, "");
    }

    /** Where a change is tried: on the host, or on what is seen of it, as if what is asked for were there. */
    private Host trial(AbsolutePath path, Operation operation) {
        EntryKind kind = switch (operation) {
            case LIST -> EntryKind.DIRECTORY;
            case CREATE -> EntryKind.MISSING;
            case READ, WRITE, EXEC -> EntryKind.FILE;
        };
        return step.map(view -> host.with(view.supposing(path, kind))).orElse(host);
    }

    private Optional<String> obstacle(PolicyChange change, AbsolutePath asked, Operation operation, AbsolutePath path) {
        Host trial = trial(path, operation);
        try {
            ResolvedPolicy changed = PolicyResolver.resolve(change.changed(), trial);
            if (new AccessOracle(changed, trial).allows(asked, operation)) {
                return Optional.empty();
            }
            return Optional.of(changed.skipped().stream()
                    .filter(grant -> grant.source().where().equals(change.where()))
                    .map(SkippedGrant::reason)
                    .findFirst()
                    .orElse(change.text() + " does not reach it"));
        } catch (PolicyInvalidException e) {
            List<Problem> problems = e.problems();
            return Optional.of(problems.stream()
                    .filter(problem -> problem.where().equals(change.where()))
                    .findFirst()
                    .orElse(problems.get(0))
                    .what());
        }
    }

    private static Verdict denied(
            AbsolutePath asked,
            Operation operation,
            PathResolution found,
            Optional<AccessRule> rule,
            String reason,
            String fix) {
        return new Verdict(
                asked,
                operation,
                Verdict.Decision.DENIED,
                found.path(),
                found.kind(),
                found.steps(),
                rule,
                reason,
                fix);
    }
}
