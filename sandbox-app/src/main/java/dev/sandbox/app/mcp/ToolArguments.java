package dev.sandbox.app.mcp;

import dev.sandbox.app.config.Nearest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The arguments of a call. Strict: an unknown one is an error that names the nearest known one. */
final class ToolArguments {
    private static final double MOST_SECONDS = 1e9;

    private final Map<String, Object> arguments;

    private ToolArguments(Map<String, Object> arguments) {
        this.arguments = arguments;
    }

    /**
     * Takes them.
     *
     * @throws IllegalArgumentException for the model
     */
    static ToolArguments of(Map<String, Object> arguments, List<String> known) {
        for (String name : arguments.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        name + ": is not an argument of this tool, and the policy is the server's; "
                                + Nearest.hint("", known, name));
            }
        }
        return new ToolArguments(arguments);
    }

    String text(String name) {
        return optionalText(name).orElseThrow(() -> new IllegalArgumentException(name + ": is missing"));
    }

    Optional<String> optionalText(String name) {
        Object value = arguments.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof String text) {
            return Optional.of(text);
        }
        throw new IllegalArgumentException(name + ": is not a text");
    }

    Optional<Duration> seconds(String name) {
        Object value = arguments.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Number number && number.doubleValue() >= 0 && number.doubleValue() <= MOST_SECONDS) {
            return Optional.of(Duration.ofMillis(Math.round(number.doubleValue() * 1000)));
        }
        throw new IllegalArgumentException(name + ": is not a number of seconds, 0 or more");
    }
}
