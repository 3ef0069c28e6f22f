package dev.sandbox.linux;

/**
 * One thing that is done to the throw-away thread before it spawns. What it does to the thread, the child inherits; the
 * rest of the JVM does not.
 *
 * <p>{@link #apply} runs where earlier steps may have taken away the file system, so it must not load a class, log or
 * throw: everything it needs is prepared when the step is made, and it calls only {@link RawSyscalls} and
 * {@link PreparedSpawn#spawn}. A string concatenation, a lambda or an enum switch met there for the first time loads classes.
 */
public interface ConfinementStep {
    /** For messages, for example {@code no_new_privs}; called on the caller's thread. */
    String name();

    /** Runs on the confined thread; 0, or the positive errno that stops the spawn. */
    int apply();
}
