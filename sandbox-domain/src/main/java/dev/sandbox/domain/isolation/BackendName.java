package dev.sandbox.domain.isolation;

import java.util.Locale;

/** The mechanisms that can enforce a policy. */
public enum BackendName {
    /** Landlock, applied in-process on a throw-away thread. */
    LANDLOCK,
    /** Mount, PID and network namespaces. */
    MOUNTNS,
    /** A container of a Docker engine. */
    DOCKER;

    /** The name in policies, options and results. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
