package dev.sandbox.domain.policy;

import java.util.Locale;

/** What native mode inherits. */
public enum Inheritance {
    /** Everything less the secrets. */
    SCRUBBED,
    /** Only ordinary names on an allow-list. */
    LISTED;

    /** The name in policies and JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
