package dev.sandbox.domain;

/** How notes begin that tell of what the caller has and the step has not. */
public final class CallersNotes {
    /** A program on the caller's PATH. */
    public static final String PROGRAM = "program ";

    /** Settings in the caller's HOME. */
    public static final String SETTINGS = "settings of ";

    private CallersNotes() {}
}
