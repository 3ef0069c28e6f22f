package dev.sandbox.app.config;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the caller may write in a path beside its names: a leading {@code ~} for HOME, and {@code ${NAME}} for a variable of the
 * caller's. Only for what the caller wrote itself, in a policy's file or as an option: a request's paths are taken as they are. A
 * value is put in as it is, and not looked at again. Immutable.
 */
public final class CallersPaths {
    /** Takes every text as it is. */
    public static final CallersPaths AS_WRITTEN = new CallersPaths(Map.of(), false);

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)}");

    private final Map<String, String> environment;
    private final boolean expands;

    private CallersPaths(Map<String, String> environment, boolean expands) {
        this.environment = Map.copyOf(environment);
        this.expands = expands;
    }

    /** Of a caller with these variables. */
    public static CallersPaths of(Map<String, String> environment) {
        return new CallersPaths(environment, true);
    }

    /**
     * The path that is meant.
     *
     * @throws IllegalArgumentException when a variable is not set, for people
     */
    public String expand(String written) {
        if (!expands) {
            return written;
        }
        boolean home = written.equals("~") || written.startsWith("~/");
        Matcher variables = VARIABLE.matcher(home ? written.substring(1) : written);
        StringBuilder expanded = new StringBuilder(home ? value("HOME", written) : "");
        while (variables.find()) {
            variables.appendReplacement(expanded, Matcher.quoteReplacement(value(variables.group(1), written)));
        }
        return variables.appendTail(expanded).toString();
    }

    /** As {@link #expand(String)}, for each. */
    public List<String> expand(List<String> written) {
        return written.stream().map(this::expand).toList();
    }

    private String value(String name, String written) {
        String value = environment.get(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException("\"" + written + "\" names " + name + ", which is not set");
        }
        return value;
    }
}
