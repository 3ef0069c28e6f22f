package dev.sandbox.linux.landlock;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A {@code LANDLOCK_RULE_NET_PORT}: what may be done with one TCP port.
 *
 * @param port 0 to 65535; to bind 0 is to let the kernel choose one
 * @param rights what is allowed; never empty
 */
public record PortRule(int port, Set<NetRight> rights) implements Comparable<PortRule> {
    /** The rule as one line of a plan. */
    public String line() {
        return "allow port " + port + ": " + names();
    }

    /** The rule for a plan's JSON. */
    public Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("port", port);
        document.put("allowed_access", names());
        return document;
    }

    private String names() {
        return rights.stream()
                .sorted()
                .map(right -> right.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(" "));
    }

    @Override
    public int compareTo(PortRule other) {
        return Comparator.comparingInt(PortRule::port)
                .thenComparingLong(rule -> NetRight.bits(rule.rights))
                .compare(this, other);
    }
}
