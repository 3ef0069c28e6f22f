package dev.sandbox.app.cli;

import dev.sandbox.app.service.ExtraEnvironment;
import java.util.List;
import java.util.Locale;

/** What a server can be told, by flag, variable or file; the one list of it. */
enum ServerKey {
    HOST("HOST", "127.0.0.1", "Where to listen. Other than loopback only with a token"),
    PORT("PORT", "8787", "Where to listen; 0: any free port"),
    BASE_DIR("DIR", ".", "What the paths of requests are relative to, and must lie in"),
    POLICY("FILE", "", "The default policy, in YAML or JSON. Its blocks, network and limits hold for every request"),
    ALLOW_OUTSIDE("DIR", "", "A folder outside the base where paths of requests may lie. Repeatable"),
    TOKEN_FILE("FILE", "", "Clients must show the token in this file, which only its owner may read"),
    ALLOWED_HOST("NAME[:PORT]", "", "A further name under which clients address the server. Repeatable"),
    EXTRA_ENV(
            "NAME|PREFIX*",
            String.join(",", ExtraEnvironment.USUAL),
            "A variable that requests may set; replaces the usual list. Repeatable"),
    DEFAULT_TIMEOUT("60s", "60s", "Time for a request that names none"),
    MAX_TIMEOUT("1h", "1h", "Time that a request may name"),
    MAX_RUNNING("N", "16", "Steps at once"),
    MAX_WAITING("N", "64", "Requests that wait for their turn; one more is refused (429)"),
    PATIENCE("10s", "10s", "How long one waits"),
    MAX_BODY("1MiB", "1MiB", "The largest body"),
    MAX_CONNECTIONS("N", "1024", "Connections at once"),
    IDLE_TIMEOUT("15s", "15s", "How long a connection may be silent"),
    STOP_TIMEOUT("30s", "30s", "How long running steps may go on after SIGTERM");

    private final String label;
    private final String usual;
    private final String description;

    ServerKey(String label, String usual, String description) {
        this.label = label;
        this.usual = usual;
        this.description = description;
    }

    /** The key in a file. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The option. */
    String flag() {
        return "--" + id().replace('_', '-');
    }

    /** The environment variable. */
    String variable() {
        return "SANDBOX_" + name();
    }

    String label() {
        return label;
    }

    String description() {
        boolean shown = !usual.isEmpty() && this != EXTRA_ENV;
        return description + (shown ? " (default: " + usual + ")." : ".");
    }

    /** The default, as a list; empty: none. */
    List<String> usual() {
        return usual.isEmpty() ? List.of() : isList() ? List.of(usual.split(",")) : List.of(usual);
    }

    /** Whether it takes several values. */
    boolean isList() {
        return switch (this) {
            case ALLOW_OUTSIDE, ALLOWED_HOST, EXTRA_ENV -> true;
            case HOST,
                    PORT,
                    BASE_DIR,
                    POLICY,
                    TOKEN_FILE,
                    DEFAULT_TIMEOUT,
                    MAX_TIMEOUT,
                    MAX_RUNNING,
                    MAX_WAITING,
                    PATIENCE,
                    MAX_BODY,
                    MAX_CONNECTIONS,
                    IDLE_TIMEOUT,
                    STOP_TIMEOUT -> false;
        };
    }

    /** What parts the values of a list in a variable. */
    String separator() {
        return this == ALLOW_OUTSIDE ? ":" : ",";
    }
}
