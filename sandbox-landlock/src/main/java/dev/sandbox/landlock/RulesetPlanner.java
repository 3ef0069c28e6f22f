package dev.sandbox.landlock;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** From a resolved policy to a ruleset, for one ABI. Pure and deterministic. */
public final class RulesetPlanner {
    private static final Set<FsRight> READ = EnumSet.of(FsRight.EXECUTE, FsRight.READ_FILE, FsRight.READ_DIR);
    private static final Set<FsRight> DEVICE =
            EnumSet.of(FsRight.READ_FILE, FsRight.WRITE_FILE, FsRight.TRUNCATE, FsRight.IOCTL_DEV);
    /** Device nodes are not a step's to make, whatever its rights. */
    private static final Set<FsRight> WRITE = EnumSet.complementOf(EnumSet.of(FsRight.MAKE_CHAR, FsRight.MAKE_BLOCK));

    private RulesetPlanner() {}

    /**
     * Plans the ruleset.
     *
     * @throws SandboxUnavailableException when the policy takes something out of what it grants: rules only add
     */
    public static RulesetPlan plan(ResolvedPolicy policy, LandlockAbi abi) {
        refuseCarveOuts(policy);
        Set<FsRight> handled = FsRight.of(abi);
        TreeMap<AbsolutePath, PathRule> rules = new TreeMap<>();
        policy.grants().forEach(grant -> {
            EnumSet<FsRight> rights = rights(grant);
            rights.retainAll(handled);
            if (!rights.isEmpty()) {
                rules.merge(grant.path(), new PathRule(grant.path(), grant.kind(), rights), RulesetPlanner::union);
            }
        });
        boolean closed = policy.policy().network().mode() != NetworkPolicy.Mode.ALLOW;
        return RulesetPlan.builder()
                .abi(abi)
                .handledFs(handled)
                .rules(new TreeSet<>(rules.values()))
                .network(closed ? RulesetPlan.Network.CLOSED : RulesetPlan.Network.OPEN)
                .build();
    }

    private static void refuseCarveOuts(ResolvedPolicy policy) {
        Optional<AccessRule> block = policy.effectiveBlocks().findFirst();
        if (block.isPresent()) {
            throw new SandboxUnavailableException(
                    "landlock",
                    "cannot express " + block.get().source() + " inside a grant: its rules only add",
                    "use --backend mountns or docker");
        }
    }

    private static EnumSet<FsRight> rights(AccessRule grant) {
        EnumSet<FsRight> rights = EnumSet.copyOf(of(grant.access()));
        if (grant.kind() != EntryKind.DIRECTORY) {
            rights.removeIf(right -> !right.appliesToFiles());
        }
        return rights;
    }

    private static Set<FsRight> of(Access access) {
        return switch (access) {
            case READ -> READ;
            case WRITE -> WRITE;
            case LIST -> EnumSet.of(FsRight.READ_DIR);
            case DEVICE -> DEVICE;
            case BLOCKED, BLOCKED_WRITE -> throw new IllegalArgumentException(access + " is no grant");
        };
    }

    private static PathRule union(PathRule one, PathRule other) {
        EnumSet<FsRight> rights = EnumSet.copyOf(one.rights());
        rights.addAll(other.rights());
        return new PathRule(one.path(), one.kind(), rights);
    }
}
