package dev.sandbox.linux.seccomp;

import dev.sandbox.domain.policy.UserNamespaces;
import org.jspecify.annotations.Nullable;

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

    // Written out here and below: a record's own are made by invokedynamic, anew at each start of the JVM.
    @Override
    public boolean equals(@Nullable Object object) {
        return object instanceof FilterSettings other
                && network == other.network
                && unixSockets == other.unixSockets
                && userNamespaces == other.userNamespaces;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * network.hashCode() + unixSockets.hashCode()) + userNamespaces.hashCode();
    }
}
