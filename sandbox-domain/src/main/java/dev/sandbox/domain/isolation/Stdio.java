package dev.sandbox.domain.isolation;

/** Where one of a step's standard streams comes from or goes to. */
public enum Stdio {
    /** A pipe to the caller. */
    PIPE,
    /** The null device: end of file for input, nowhere for output. */
    NULL,
    /** The caller's own stream. */
    INHERIT
}
