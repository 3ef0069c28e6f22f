package dev.sandbox.domain.isolation;

/** Where one of a step's standard streams comes from or goes to. */
public enum Stdio {
    /** A pipe to the caller. */
    PIPE,
    /** The null device: end of file for input, nowhere for output. */
    NULL,
    /** The caller's own stream. */
    INHERIT,
    /** Standard error only: where standard output goes, in the order in which both are printed. */
    MERGED,
    /** A pseudo-terminal of the step's own, for all three. The caller has its other side as the step's stdin() and stdout(). */
    TERMINAL
}
