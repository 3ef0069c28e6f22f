package dev.sandbox.domain.environment;

import java.util.List;
import java.util.Locale;

/** Which names of the caller's environment a step may see. Case is ignored: {@code openai_api_key} is as secret. */
final class EnvironmentNames {
    /** Ordinary names for {@code inherit: listed}; a trailing {@code *} stands for any rest. */
    static final List<String> LISTED = List.of(
            "PATH",
            "LANG",
            "LANGUAGE",
            "LC_*",
            "TERM",
            "COLORTERM",
            "TZ",
            "HOME",
            "USER",
            "LOGNAME",
            "SHELL",
            "TMPDIR",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "NO_PROXY",
            "ALL_PROXY",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "CURL_CA_BUNDLE",
            "REQUESTS_CA_BUNDLE",
            "NODE_EXTRA_CA_CERTS",
            "JAVA_HOME",
            "GIT_*",
            "PIP_*",
            "PYTHON*",
            "NPM_CONFIG_*",
            "NODE_*",
            "GO*",
            "CGO_*",
            "CARGO_*",
            "RUSTUP_*",
            "RUST_*",
            "UV_*",
            "XDG_*",
            "CC",
            "CXX",
            "CFLAGS",
            "CXXFLAGS",
            "CPPFLAGS",
            "LDFLAGS",
            "MAKEFLAGS",
            "MAVEN_OPTS",
            "CI",
            "SOURCE_DATE_EPOCH",
            "NO_COLOR",
            "FORCE_COLOR",
            "EDITOR",
            "PAGER");

    private static final String NPM = "npm_config_";

    private EnvironmentNames() {}

    static boolean isListed(String name) {
        return matchesAny(name.toUpperCase(Locale.ROOT), LISTED);
    }

    /** True when one of the patterns, each a name or a prefix ending in {@code *}, fits. */
    static boolean matchesAny(String name, List<String> patterns) {
        return patterns.stream().anyMatch(pattern -> matches(name, pattern));
    }

    private static boolean matches(String name, String pattern) {
        return pattern.endsWith("*")
                ? name.regionMatches(true, 0, pattern, 0, pattern.length() - 1)
                : name.equalsIgnoreCase(pattern);
    }

    /**
     * POSIX: letters, digits and underscores, no digit first; and npm's settings. Others (exported functions) cannot be set from a
     * shell. By hand, since each run asks it of every variable before the JVM has compiled anything, a regular expression least.
     */
    static boolean isPortable(String name) {
        if (name.length() >= NPM.length()
                && name.substring(0, NPM.length()).toLowerCase(Locale.ROOT).equals(NPM)) {
            return name.indexOf('=') < 0 && name.indexOf('\0') < 0;
        }
        for (int i = 0; i < name.length(); i++) {
            if (!isPortable(name.charAt(i), i)) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static boolean isPortable(char c, int index) {
        boolean letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
        return letter || (index > 0 && c >= '0' && c <= '9');
    }
}
