package dev.sandbox.domain.policy;

import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * One entry of {@link NetworkPolicy#domains()} in its canonical form: lower case, without the dot of the root.
 *
 * <p>A name is what RFC 1123 calls a host name: labels of letters, digits and hyphens. {@code *.example.org} stands for
 * every name below {@code example.org}, at any depth, and not for {@code example.org} itself. Without a port the rule
 * is for 80 and 443. Addresses are not names, nor is what C libraries and browsers read as an IPv4 address
 * ({@code 127.1}, {@code 0x7f000001}): its last label is a number. Names beyond ASCII are refused and not translated:
 * IDNA 2003 and 2008 translate the same text to different names. Immutable and thread-safe.
 */
public final class DomainRule {
    private static final String WILDCARD = "*.";
    private static final int LAST_PORT = 65_535;
    private static final int LONGEST_NAME = 253;
    private static final int LONGEST_LABEL = 63;
    private static final int ANY_WEB_PORT = 0;
    private static final char ASCII_END = 127;

    /** The name without the wildcard. */
    private final String name;

    private final boolean wildcard;
    private final int port;

    private DomainRule(String name, boolean wildcard, int port) {
        this.name = name;
        this.wildcard = wildcard;
        this.port = port;
    }

    /**
     * Reads {@code NAME}, {@code *.NAME}, {@code NAME:PORT} or {@code *.NAME:PORT}.
     *
     * @throws IllegalArgumentException for people: the text, what is wrong with it, what to write
     */
    public static DomainRule parse(String text) {
        int colon = text.indexOf(':');
        if (text.indexOf('[') >= 0 || colon != text.lastIndexOf(':')) {
            throw address(text);
        }
        if (text.indexOf('/') >= 0) {
            throw wrong(text, "is no name; write NAME or NAME:PORT, without a scheme or a path");
        }
        String host = colon < 0 ? text : text.substring(0, colon);
        int port = colon < 0 ? ANY_WEB_PORT : port(text, text.substring(colon + 1));
        boolean wildcard = host.startsWith(WILDCARD);
        String name = wildcard ? host.substring(WILDCARD.length()) : host;
        if (name.endsWith(".")) {
            name = name.substring(0, name.length() - 1);
        }
        checkName(text, name);
        return new DomainRule(name.toLowerCase(Locale.ROOT), wildcard, port);
    }

    /** True when every connection that {@code asked} is for is one that a rule of {@code own} is for. */
    public static boolean covers(Collection<DomainRule> own, DomainRule asked) {
        return asked.ports().stream().allMatch(port -> own.stream().anyMatch(rule -> rule.covers(asked, port)));
    }

    private boolean covers(DomainRule asked, int onPort) {
        if (!ports().contains(onPort)) {
            return false;
        }
        if (!wildcard) {
            return !asked.wildcard && asked.name.equals(name);
        }
        return asked.name.endsWith("." + name) || (asked.wildcard && asked.name.equals(name));
    }

    private SortedSet<Integer> ports() {
        SortedSet<Integer> ports = new TreeSet<>();
        if (port == ANY_WEB_PORT) {
            ports.add(80);
            ports.add(443);
        } else {
            ports.add(port);
        }
        return ports;
    }

    private static void checkName(String text, String name) {
        if (name.equals("*")) {
            throw wrong(text, "is every name; write network: allow, or *.NAME");
        }
        if (name.length() > LONGEST_NAME) {
            throw wrong(text, "is longer than a name of the DNS, " + LONGEST_NAME + " characters");
        }
        int start = 0;
        while (true) {
            int dot = name.indexOf('.', start);
            String label = name.substring(start, dot < 0 ? name.length() : dot);
            checkLabel(text, label);
            if (dot < 0) {
                if (isNumber(label)) {
                    throw address(text);
                }
                return;
            }
            start = dot + 1;
        }
    }

    private static void checkLabel(String text, String label) {
        if (label.isEmpty()) {
            throw wrong(text, "has an empty part; write NAME or NAME:PORT");
        }
        if (label.length() > LONGEST_LABEL) {
            throw wrong(text, "has a part longer than " + LONGEST_LABEL + " characters");
        }
        for (int i = 0; i < label.length(); i++) {
            char c = label.charAt(i);
            if (c > ASCII_END) {
                throw wrong(text, "is not ASCII; write the name as the DNS has it, with xn--");
            }
            if (c == '*') {
                throw wrong(text, "has a * that is not the first part; write *.NAME");
            }
            if (!isLetterOrDigit(c) && c != '-') {
                throw wrong(text, "is no name: letters, digits, hyphens and dots only");
            }
        }
        if (label.startsWith("-") || label.endsWith("-")) {
            throw wrong(text, "has a part that begins or ends with a hyphen");
        }
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Whether it is a number to inet_aton(3) and to browsers, in which case the whole is an address to them. */
    private static boolean isNumber(String label) {
        boolean hexadecimal = label.startsWith("0x") || label.startsWith("0X");
        for (int i = hexadecimal ? 2 : 0; i < label.length(); i++) {
            if (hexadecimal ? Character.digit(label.charAt(i), 16) < 0 : !isDigit(label.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static int port(String text, String digits) {
        int port = 0;
        for (int i = 0; i < digits.length(); i++) {
            if (!isDigit(digits.charAt(i)) || port > LAST_PORT) {
                throw noPort(text);
            }
            port = port * 10 + (digits.charAt(i) - '0');
        }
        if (port < 1 || port > LAST_PORT) {
            throw noPort(text);
        }
        return port;
    }

    private static IllegalArgumentException noPort(String text) {
        return wrong(text, "has no port behind its colon, 1 to " + LAST_PORT);
    }

    private static IllegalArgumentException address(String text) {
        return wrong(text, "is an address, not a name");
    }

    private static IllegalArgumentException wrong(String text, String what) {
        return new IllegalArgumentException("\"" + text + "\" " + what);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DomainRule rule
                && rule.name.equals(name)
                && rule.wildcard == wildcard
                && rule.port == port;
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, wildcard, port);
    }

    /** The rule as it is written in a policy, canonical. */
    @Override
    public String toString() {
        return (wildcard ? WILDCARD : "") + name + (port == ANY_WEB_PORT ? "" : ":" + port);
    }
}
