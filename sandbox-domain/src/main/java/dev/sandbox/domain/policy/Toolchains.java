package dev.sandbox.domain.policy;

import java.util.Locale;

/** Which tools of the caller's own, outside the system folders, a step may run. */
public enum Toolchains {
    /** None but what a grant covers. */
    NONE,
    /** The well-known tool folders on the caller's PATH, read and executed only: see {@code ToolchainFinder}. */
    PATH;

    /** The name in policies and JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
