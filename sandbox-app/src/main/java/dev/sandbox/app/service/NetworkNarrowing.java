package dev.sandbox.app.service;

import dev.sandbox.domain.policy.NetworkPolicy;

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
            case DOMAINS ->
                asked.mode() == NetworkPolicy.Mode.DOMAINS && own.domains().containsAll(asked.domains());
        };
    }
}
