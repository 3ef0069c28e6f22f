package dev.sandbox.app.config;

import dev.sandbox.domain.problem.Problem;
import java.util.Optional;

/** What may be a variable. Its value is never shown. */
public final class EnvironmentEntry {
    private EnvironmentEntry() {}

    /** What is wrong with this name or value, if anything. */
    public static Optional<Problem> problem(String where, String name, String value) {
        if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
            return Optional.of(new Problem(
                    where, "\"" + name + "\" cannot be the name of a variable", "use letters, digits and _"));
        }
        if (value.indexOf('\0') >= 0) {
            return Optional.of(new Problem(where, "the value of " + name + " contains a NUL character", "remove it"));
        }
        return Optional.empty();
    }
}
