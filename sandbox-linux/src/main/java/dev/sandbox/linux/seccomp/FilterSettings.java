package dev.sandbox.linux.seccomp;

import dev.sandbox.domain.policy.UserNamespaces;

/**
 * What of a policy the filter depends on.
 *
 * @param network the sockets that may be made
 * @param unixSockets whether unix sockets can reach processes outside
 * @param userNamespaces whether the step may make one
 */
public record FilterSettings(Network network, UnixSockets unixSockets, UserNamespaces userNamespaces) {
    /** The sockets that may be made. */
    public enum Network {
        /** All ordinary ones. */
        OPEN,
        /** Of the internet only plain TCP, whose ports Landlock then checks. */
        TCP,
        /** Unix ones only. */
        CLOSED
    }

    /** Whether unix sockets can reach processes outside. */
    public enum UnixSockets {
        OPEN,
        /** Connected pairs only. */
        PAIRS
    }

    /** Whether a rule belongs to a filter of these settings. */
    boolean have(HardeningRule.When when) {
        return switch (when) {
            case ALWAYS -> true;
            case NETWORK_NONE -> network == Network.CLOSED;
            case NETWORK_TCP -> network == Network.TCP;
            case UNIX_SCOPE -> unixSockets == UnixSockets.PAIRS;
            case USER_NAMESPACES_DENIED -> userNamespaces == UserNamespaces.DENY;
        };
    }
}
