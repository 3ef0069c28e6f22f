package dev.sandbox.domain.policy;

import java.util.Locale;

/** Which HOME the step sees. */
public enum HomeMode {
    /** A folder of its own under the cache base, as HOME. */
    PRIVATE,
    /** The HOME of the caller, whether readable or not. */
    INHERIT;

    /** The name in policies and JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
