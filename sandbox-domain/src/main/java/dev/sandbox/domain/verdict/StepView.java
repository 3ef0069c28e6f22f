package dev.sandbox.domain.verdict;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileDetails;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.path.Ownership;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.resolve.RuleSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The host as a step sees it whose files are its grants alone: all else is missing, whether it exists or not, and so is what a policy
 * blocks. Who answers a step from this view tells it nothing that it cannot see by itself.
 */
final class StepView implements FileSystemView {
    private final FileSystemView host;
    private final List<AccessRule> grants;
    private final List<AccessRule> blocks;
    /** Where rules stand, as they are written and as they are, and all folders above. */
    private final Set<AbsolutePath> known = new HashSet<>();

    StepView(ResolvedPolicy policy, FileSystemView host, Sight sight) {
        this.host = host;
        this.blocks = policy.rules().stream()
                .filter(rule -> rule.access().isBlock() && rule.access().concerns(Operation.READ))
                .toList();
        this.grants = policy.grants()
                .filter(rule -> sight == Sight.STEP || !rule.source().key().equals(RuleSource.BASELINE))
                .toList();
        policy.grants().forEach(rule -> {
            know(rule.path());
            if (rule.source().written().startsWith("/")) {
                know(policy, rule.source().written());
            }
        });
        know(policy.baseDir());
        know(policy.workDir());
    }

    private void know(ResolvedPolicy policy, String written) {
        try {
            know(AbsolutePath.of(written));
        } catch (IllegalArgumentException withDots) {
            know(policy.baseDir()); // where it leads is a rule's path
        }
    }

    private void know(AbsolutePath path) {
        known.add(path);
        known.addAll(path.ancestors());
    }

    boolean isVisible(AbsolutePath path) {
        return blocks.stream().noneMatch(rule -> rule.path().contains(path))
                && (known.contains(path) || grants.stream().anyMatch(rule -> rule.covers(path)));
    }

    @Override
    public EntryKind kind(AbsolutePath path) {
        return isVisible(path) ? host.kind(path) : EntryKind.MISSING;
    }

    @Override
    public String linkTarget(AbsolutePath link) {
        return host.linkTarget(link);
    }

    @Override
    public FileDetails details() {
        FileDetails all = host.details();
        return new FileDetails() {
            @Override
            public Optional<Identity> caller() {
                return all.caller();
            }

            @Override
            public Optional<Ownership> ownership(AbsolutePath path) {
                return isVisible(path) ? all.ownership(path) : Optional.empty();
            }
        };
    }

    /** The same, as if something stood at a path that is not seen: a change of policy can be tried without a look at the host. */
    FileSystemView supposing(AbsolutePath supposed, EntryKind kind) {
        FileSystemView seen = this;
        return new FileSystemView() {
            @Override
            public EntryKind kind(AbsolutePath path) {
                if (isVisible(path)) {
                    return seen.kind(path);
                }
                return path.equals(supposed) ? kind : path.contains(supposed) ? EntryKind.DIRECTORY : EntryKind.MISSING;
            }

            @Override
            public String linkTarget(AbsolutePath link) {
                return seen.linkTarget(link);
            }
        };
    }
}
