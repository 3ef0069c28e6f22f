package dev.sandbox.domain.policy;

import java.util.Locale;

/** What becomes of a grant whose path does not exist. */
public enum OnMissing {
    /** Leave it out and note it. */
    SKIP,
    /** Make a directory. */
    CREATE,
    /** The policy is invalid. */
    REFUSE;

    /** The name in policies and JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
