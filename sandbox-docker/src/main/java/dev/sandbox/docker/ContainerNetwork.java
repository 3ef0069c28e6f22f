package dev.sandbox.docker;

import java.util.Locale;

/** The engine's network that a container joins. */
public enum ContainerNetwork {
    /** Loopback of its own, nothing else. */
    NONE,
    /** The engine's default bridge: outward connections by NAT, none to the host's loopback. */
    BRIDGE,
    /** The host's network itself, its abstract unix sockets included. */
    HOST;

    /** The engine's name for it. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
