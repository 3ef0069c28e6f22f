package dev.sandbox.linux;

/** The steps that every backend needs. */
public final class ConfinementSteps {
    private ConfinementSteps() {}

    /** No set-user-id bit and no file capability raises what the child may do. */
    public static ConfinementStep noNewPrivs() {
        return new NoNewPrivs(RawSyscalls.host());
    }

    /** Takes every capability from the thread; together with {@link #noNewPrivs()} the child gets none back. */
    public static ConfinementStep dropCapabilities() {
        return new DropCapabilities(RawSyscalls.host());
    }
}
