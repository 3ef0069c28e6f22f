package dev.sandbox.app.service;

import dev.sandbox.domain.policy.DomainRule;
import dev.sandbox.domain.policy.NetworkPolicy;
import java.util.List;

/** Whether one network is a part of another. */
final class NetworkNarrowing {
    private NetworkNarrowing() {}

    /** True when nothing is reached under {@code asked} that is not reached under {@code own}. */
    static boolean isNarrower(NetworkPolicy asked, NetworkPolicy own) {
        if (asked.mode() == NetworkPolicy.Mode.NONE || asked.equals(own)) {
            return true;
        }
        return switch (own.mode()) {
            case ALLOW -> true;
            case NONE -> false;
            case TCP ->
                asked.mode() == NetworkPolicy.Mode.TCP
                        && own.tcpConnect().containsAll(asked.tcpConnect())
                        && own.tcpBind().containsAll(asked.tcpBind());
            case DOMAINS -> asked.mode() == NetworkPolicy.Mode.DOMAINS && areCovered(rules(asked), rules(own));
        };
    }

    private static boolean areCovered(List<DomainRule> asked, List<DomainRule> own) {
        return asked.stream().allMatch(rule -> DomainRule.covers(own, rule));
    }

    private static List<DomainRule> rules(NetworkPolicy network) {
        return network.domains().stream().map(DomainRule::parse).toList();
    }
}
