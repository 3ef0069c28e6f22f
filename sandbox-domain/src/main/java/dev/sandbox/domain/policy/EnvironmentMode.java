package dev.sandbox.domain.policy;

import java.util.Locale;

/** How the environment of the child is derived. */
public enum EnvironmentMode {
    /** Inherits the environment of the caller, less its secrets, and repairs PATH. */
    NATIVE,
    /** A strict list; nothing of the host. */
    CONTAINER;

    /** The name in policies and JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
