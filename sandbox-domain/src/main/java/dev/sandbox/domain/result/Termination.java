package dev.sandbox.domain.result;

import java.util.Locale;

/** Why a run ended. */
public enum Termination {
    /** The command called exit. */
    EXITED,
    /** A signal that the sandbox did not send killed it. */
    SIGNALED,
    /** The timeout passed. */
    TIMED_OUT,
    /** It printed more than the output limit allows. */
    OUTPUT_LIMIT,
    /** The caller cancelled, was interrupted, or closed the session. */
    CANCELLED,
    /** It needed more memory than the limit allows. */
    MEMORY_LIMIT,
    /** The command never ran: its program is not there or cannot be executed; the result's error says which. */
    NOT_STARTED;

    /** The name in JSON, for example {@code timed_out}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
