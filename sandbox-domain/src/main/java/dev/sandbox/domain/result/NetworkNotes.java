package dev.sandbox.domain.result;

import dev.sandbox.domain.isolation.ExitStatus;
import dev.sandbox.domain.policy.NetworkPolicy;
import java.util.List;

/** Says what a restricted network also takes away, to who wonders why a command failed. */
public final class NetworkNotes {
    private static final List<String> NO_UDP = List.of(
            "network: UDP is closed, so names are looked up in /etc/hosts alone; connect to an address, or use a proxy");

    private NetworkNotes() {}

    /** For a command that ended so; nothing when it succeeded. */
    public static List<String> of(NetworkPolicy network, ExitStatus status) {
        return network.mode() == NetworkPolicy.Mode.TCP && status.shellCode() != 0 ? NO_UDP : List.of();
    }
}
