package dev.sandbox.domain.environment;

/** What a step can do in /tmp. */
public enum SystemTmp {
    /** Make files, in its own or the host's. */
    WRITABLE,
    /** Nothing. */
    CLOSED
}
