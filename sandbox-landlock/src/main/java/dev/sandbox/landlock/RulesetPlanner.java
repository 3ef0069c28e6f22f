package dev.sandbox.landlock;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.linux.landlock.FsRight;
import dev.sandbox.linux.landlock.GrantRights;
import dev.sandbox.linux.landlock.LandlockAbi;
import dev.sandbox.linux.landlock.NetRight;
import dev.sandbox.linux.landlock.PathRule;
import dev.sandbox.linux.landlock.PortRule;
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
            Set<FsRight> rights = GrantRights.of(grant.access(), grant.kind(), abi);
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
            EnumSet<NetRight> rights = EnumSet.noneOf(NetRight.class);
            if (network.tcpBind().contains(port)) {
                rights.add(NetRight.BIND_TCP);
            }
            if (network.tcpConnect().contains(port)) {
                rights.add(NetRight.CONNECT_TCP);
            }
            rules.add(new PortRule(port, rights));
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
                    "use the backend mountns or docker");
        }
    }

    private static PathRule union(PathRule one, PathRule other) {
        EnumSet<FsRight> rights = EnumSet.copyOf(one.rights());
        rights.addAll(other.rights());
        return new PathRule(one.path(), one.kind(), rights);
    }
}
