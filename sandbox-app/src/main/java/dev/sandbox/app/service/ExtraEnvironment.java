package dev.sandbox.app.service;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which variables a client may set: names, and prefixes that end in {@code *}. Never those by which a program is made to load code
 * or to look elsewhere, whatever the list says. Immutable.
 *
 * @param accepted the names and prefixes
 */
public record ExtraEnvironment(List<String> accepted) {
    /** What is accepted unless the server is started otherwise. */
    public static final List<String> USUAL = List.of(
            "MCP_*",
            "SECRET_*",
            "VAR_*",
            "STEP_*",
            "SCRIPT_*",
            "RUNLOOP_*",
            "REPORT_*",
            "WORKFLOW_*",
            "DB_PATH",
            "PYTHONPATH",
            "PYTHONDONTWRITEBYTECODE",
            "GIT_AUTHOR_*",
            "GIT_COMMITTER_*");

    private static final List<String> NEVER = List.of("PATH", "HOME", "LD_*", "SANDBOX_*");

    public ExtraEnvironment {
        accepted = List.copyOf(accepted);
    }

    /**
     * What is left of a client's variables.
     *
     * @param variables those accepted
     * @param notes names the dropped ones
     */
    public record Filtered(Map<String, String> variables, List<String> notes) {}

    /** Drops what is not accepted. */
    public Filtered filter(Map<String, String> given) {
        Map<String, String> kept = new LinkedHashMap<>();
        TreeSet<String> dropped = new TreeSet<>();
        given.forEach((name, value) -> {
            if (matches(NEVER, name.toUpperCase(Locale.ROOT)) || !matches(accepted, name)) {
                dropped.add(name);
            } else {
                kept.put(name, value);
            }
        });
        List<String> notes = dropped.isEmpty()
                ? List.of()
                : List.of("extra_env: dropped " + String.join(", ", dropped) + ": not among the accepted names");
        return new Filtered(kept, notes);
    }

    private static boolean matches(List<String> patterns, String name) {
        return patterns.stream()
                .anyMatch(pattern -> pattern.endsWith("*")
                        ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                        : name.equals(pattern));
    }
}
