package dev.sandbox.app.http;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Under which names the server may be addressed. A page of another origin that was made to resolve to this machine (DNS rebinding)
 * sends its own name as Host. Immutable.
 */
final class HostNames {
    private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");

    private final Set<String> names;
    private final int port;

    /**
     * The names of one server.
     *
     * @param bound what it is bound to
     * @param port its port
     * @param allowed further names; with a port, or for every port
     */
    HostNames(String bound, int port, List<String> allowed) {
        this.port = port;
        this.names = new LinkedHashSet<>(LOOPBACK);
        names.add(literal(bound));
        allowed.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
    }

    /** An address as it stands in a URL. */
    static String literal(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.indexOf(':') >= 0 && !lower.startsWith("[") ? "[" + lower + "]" : lower;
    }

    /**
     * True when a Host header names this server.
     *
     * @param localAddress the server's end of the connection: an address cannot be rebound
     */
    boolean isOurs(String host, String localAddress) {
        String lower = host.toLowerCase(Locale.ROOT);
        if (names.contains(lower)) {
            return !LOOPBACK.contains(lower) || port == 80;
        }
        int colon = lower.lastIndexOf(':');
        if (colon <= lower.lastIndexOf(']')) {
            return false;
        }
        String name = lower.substring(0, colon);
        boolean ourPort = lower.substring(colon + 1).equals(String.valueOf(port));
        return ourPort && (names.contains(name) || name.equals(literal(localAddress)));
    }
}
