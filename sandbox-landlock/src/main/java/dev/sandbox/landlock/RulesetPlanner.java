package dev.sandbox.landlock;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.linux.seccomp.FilterSettings;
import dev.sandbox.linux.seccomp.SyscallFilter;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
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
     * @throws SandboxUnavailableException when the policy takes something out of what it grants (rules only add), or filters the network
     *     by what this ABI does not know
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
        RulesetPlan.Network network = network(policy.policy().network(), abi);
        return RulesetPlan.builder()
                .abi(abi)
                .handledFs(handled)
                .rules(new TreeSet<>(rules.values()))
                .network(network)
                .ports(
                        network == RulesetPlan.Network.PORTS
                                ? ports(policy.policy().network())
                                : new TreeSet<>())
                .ownCgroup(policy.policy().require().contains(Guarantee.KILL_TREE))
                .filter(filter(policy.policy(), network))
                .build();
    }

    private static RulesetPlan.Network network(NetworkPolicy network, LandlockAbi abi) {
        return switch (network.mode()) {
            case ALLOW -> RulesetPlan.Network.OPEN;
            case NONE -> RulesetPlan.Network.CLOSED;
            case TCP -> {
                if (!abi.atLeast(LandlockAbi.NETWORK)) {
                    throw new SandboxUnavailableException(
                            "landlock", "ABI " + abi.version() + " knows no ports", "a kernel from 6.7 on");
                }
                yield RulesetPlan.Network.PORTS;
            }
            case DOMAINS ->
                throw new SandboxUnavailableException(
                        "landlock", "cannot filter by domain", "network: none, or tcp_connect");
        };
    }

    private static SortedSet<PortRule> ports(NetworkPolicy network) {
        SortedSet<PortRule> rules = new TreeSet<>();
        Set<Integer> all = new TreeSet<>(network.tcpConnect());
        all.addAll(network.tcpBind());
        for (int port : all) {
            long bind = network.tcpBind().contains(port) ? PortRule.BIND_TCP : 0;
            long connect = network.tcpConnect().contains(port) ? PortRule.CONNECT_TCP : 0;
            rules.add(new PortRule(port, bind | connect));
        }
        return rules;
    }

    private static SyscallFilter filter(SandboxPolicy policy, RulesetPlan.Network network) {
        FilterSettings.UnixSockets unix = policy.require().contains(Guarantee.UNIX_SCOPE)
                ? FilterSettings.UnixSockets.PAIRS
                : FilterSettings.UnixSockets.OPEN;
        FilterSettings.Network sockets = switch (network) {
            case OPEN -> FilterSettings.Network.OPEN;
            case PORTS -> FilterSettings.Network.TCP;
            case CLOSED -> FilterSettings.Network.CLOSED;
        };
        return new SyscallFilter(new FilterSettings(sockets, unix, policy.userNamespaces()));
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
