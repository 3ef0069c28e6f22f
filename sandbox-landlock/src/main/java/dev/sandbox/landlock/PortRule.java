package dev.sandbox.landlock;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What may be done with one TCP port.
 *
 * @param port 0 to 65535; to bind 0 is to let the kernel choose one
 * @param rights {@link #BIND_TCP}, {@link #CONNECT_TCP} or both
 */
public record PortRule(int port, long rights) implements Comparable<PortRule> {
    /** {@code LANDLOCK_ACCESS_NET_BIND_TCP} of include/uapi/linux/landlock.h. */
    static final long BIND_TCP = 1;

    /** {@code LANDLOCK_ACCESS_NET_CONNECT_TCP}. */
    static final long CONNECT_TCP = 2;

    String line() {
        return "allow port " + port + ": " + names();
    }

    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("port", port);
        document.put("allowed_access", names());
        return document;
    }

    private String names() {
        String bind = (rights & BIND_TCP) != 0 ? "bind_tcp " : "";
        return (bind + ((rights & CONNECT_TCP) != 0 ? "connect_tcp" : "")).trim();
    }

    @Override
    public int compareTo(PortRule other) {
        return Comparator.comparingInt(PortRule::port)
                .thenComparingLong(PortRule::rights)
                .compare(this, other);
    }
}
