package dev.sandbox.app.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The keys a policy file may hold, by section; the one place that lists them. */
final class PolicyKey {
    static final String TOP = "";

    private static final Map<String, List<String>> KEYS = Map.of(
            TOP,
            List.of(
                    "base_dir",
                    "work_dir",
                    "read_paths",
                    "write_paths",
                    "list_paths",
                    "blocked_paths",
                    "blocked_write_paths",
                    "extra_system_paths",
                    "toolchains",
                    "cache_dir",
                    "on_missing",
                    "home",
                    "package_config",
                    "tmp",
                    "proc",
                    "host_devices",
                    "user_namespaces",
                    "allow_sockets",
                    "network",
                    "environment",
                    "limits",
                    "run_as",
                    "trust_handoff",
                    "backend",
                    "image",
                    "require"),
            "network",
            List.of("tcp_connect", "tcp_bind", "domains"),
            "environment",
            List.of("mode", "inherit", "set", "pass", "block", "mask"),
            "trust_handoff",
            List.of("protect", "add", "remove"),
            "limits",
            List.of("timeout", "output", "memory", "processes", "file_size", "open_files", "cpu_time"));

    private PolicyKey() {}

    static boolean isKnown(String section, String key) {
        return keys(section).contains(key);
    }

    static List<String> keys(String section) {
        return KEYS.getOrDefault(section, List.of());
    }

    /** What to tell who wrote a key that this section does not have: the key that was probably meant. */
    static String hint(String section, String written) {
        String key = written.toLowerCase(Locale.ROOT);
        for (Map.Entry<String, List<String>> other : KEYS.entrySet()) {
            if (other.getValue().contains(key) && !other.getKey().equals(section)) {
                return "did you mean " + prefix(other.getKey()) + key + "?";
            }
        }
        return Nearest.hint(prefix(section), keys(section), key);
    }

    static String prefix(String section) {
        return section.equals(TOP) ? "" : section + ".";
    }
}
