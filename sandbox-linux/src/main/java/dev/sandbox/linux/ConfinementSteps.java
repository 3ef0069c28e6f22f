package dev.sandbox.linux;

/** The steps that every backend needs. */
public final class ConfinementSteps {
    private ConfinementSteps() {}

    /** No set-user-id bit and no file capability raises what the child may do. */
    public static ConfinementStep noNewPrivs() {
        return new NoNewPrivs(RawSyscalls.host());
    }

    /** The thread keeps its capabilities for a last mount; what it executes has none. Takes CAP_SETPCAP. */
    public static ConfinementStep dropInheritableCapabilities() {
        return DropCapabilities.ofPrograms(RawSyscalls.host());
    }

    /** Takes every capability from the thread; together with {@link #noNewPrivs()} the child gets none back. */
    public static ConfinementStep dropCapabilities() {
        return DropCapabilities.ofTheThread(RawSyscalls.host());
    }
}
