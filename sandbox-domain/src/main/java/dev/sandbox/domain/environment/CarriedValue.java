package dev.sandbox.domain.environment;

import java.util.Locale;
import java.util.Set;

/**
 * What of a setting may be shown to a step. Each kind is a list of what is allowed, not of what is forbidden: an address is a scheme,
 * a host, a port and a path; whatever might carry a credential (user and password, a query, a fragment, a variable, a part of the
 * path that reads like a token) makes the whole value stay behind.
 */
final class CarriedValue {
    private static final Set<String> SCHEMES = Set.of("http", "https", "sparse+http", "sparse+https");

    /** Shorter words are names; tokens have twenty characters and more. */
    private static final int SHORTEST_TOKEN = 20;

    private static final int LONGEST_WORD = 32;
    private static final int MANY_DIGITS = 8;
    private static final int LONGEST = 500;

    private CarriedValue() {}

    /** {@code https://mirror.example:8443/simple/}. */
    static boolean isAddress(String text) {
        int colon = text.indexOf("://");
        if (colon < 0
                || text.length() > LONGEST
                || !SCHEMES.contains(text.substring(0, colon).toLowerCase(Locale.ROOT))) {
            return false;
        }
        String rest = text.substring(colon + 3);
        int slash = rest.indexOf('/');
        String host = slash < 0 ? rest : rest.substring(0, slash);
        return isHost(host) && (slash < 0 || isPath(rest.substring(slash)));
    }

    /** A name or an address, with or without a port. */
    static boolean isHost(String text) {
        return !text.isEmpty() && consistsOf(text, ".-:[]") && !isTokenIn(text);
    }

    /** A path that names no secret. */
    static boolean isPath(String text) {
        return text.startsWith("/") && text.length() <= LONGEST && consistsOf(text, "/._-+~") && !isTokenIn(text);
    }

    /** A word such as the name of a mirror, {@code *} and {@code !} included as Maven has them. */
    static boolean isWord(String text) {
        return !text.isEmpty() && text.length() <= LONGEST && consistsOf(text, "._-*!,:@/|") && !isTokenIn(text);
    }

    /** The name of a table, {@code source.mirror}. */
    static boolean isName(String text) {
        return !text.isEmpty() && text.length() <= LONGEST && consistsOf(text, "._-") && !isTokenIn(text);
    }

    /** A person's name or address. */
    static boolean isAuthor(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) || "\"\\#;=$`/:%".indexOf(c) >= 0) {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= LONGEST && !isTokenIn(text);
    }

    private static boolean consistsOf(String text, String besides) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && besides.indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * True when a part of the text reads like a token: as long as one without a hyphen and with a digit in it, or with hyphens (a UUID)
     * and many digits, or longer than names are.
     */
    private static boolean isTokenIn(String text) {
        for (String part : text.split("[^A-Za-z0-9_-]", -1)) {
            if (digits(part) >= MANY_DIGITS && part.length() >= SHORTEST_TOKEN) {
                return true;
            }
            for (String word : part.split("-", -1)) {
                if (word.length() >= LONGEST_WORD || (word.length() >= SHORTEST_TOKEN && digits(word) > 0)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static long digits(String text) {
        return text.chars().filter(c -> c >= '0' && c <= '9').count();
    }
}
