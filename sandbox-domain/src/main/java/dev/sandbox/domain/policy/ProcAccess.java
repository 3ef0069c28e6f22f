package dev.sandbox.domain.policy;

import java.util.Locale;

/** What of /proc is readable. */
public enum ProcAccess {
    /** Nothing about any process, not even itself (a backend with PID namespaces mounts a private /proc all the same). */
    NONE,
    /**
     * Itself and its own processes. A backend with PID namespaces shows no others. Under Landlock /proc is readable: what other
     * processes hold stays closed by the kernel, their names and command lines do not; who minds requires proc.private.
     */
    SELF,
    /** All of /proc that the kernel lets it read. */
    ALL;

    /** The name in policies and JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
