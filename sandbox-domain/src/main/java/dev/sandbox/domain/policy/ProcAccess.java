package dev.sandbox.domain.policy;

import java.util.Locale;

/** What of /proc is readable. */
public enum ProcAccess {
    /** Nothing about any process (a backend with PID namespaces mounts a private /proc all the same). */
    NONE,
    /** Its own processes only; implies the guarantee proc.private. */
    SELF,
    /** All of /proc that the kernel lets it read. */
    ALL;

    /** The name in policies and JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
