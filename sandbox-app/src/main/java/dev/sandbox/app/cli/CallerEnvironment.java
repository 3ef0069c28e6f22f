package dev.sandbox.app.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The environment of whoever called the launcher. The launcher starts the JVM under a UTF-8 locale, or Java would mangle names, and
 * hands the caller's own values on as system properties; an empty property means that the variable was not set.
 */
final class CallerEnvironment {
    private static final String PROPERTY = "sandbox.caller.";

    private CallerEnvironment() {}

    static Map<String, String> get() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        for (String name : List.of("LC_ALL", "LANG", "LC_CTYPE")) {
            String value = System.getProperty(PROPERTY + name);
            if (value != null && value.isEmpty()) {
                environment.remove(name);
            } else if (value != null) {
                environment.put(name, value);
            }
        }
        return environment;
    }
}
