package dev.sandbox.linux;

/** The steps that every backend needs. */
public final class ConfinementSteps {
    private ConfinementSteps() {}

    /** No set-user-id bit and no file capability raises what the child may do. */
    public static ConfinementStep noNewPrivs() {
        return noNewPrivs(RawSyscalls.host());
    }

    /** {@link #noNewPrivs()} by the given calls. */
    public static ConfinementStep noNewPrivs(RawSyscalls syscalls) {
        return new NoNewPrivs(syscalls);
    }

    /** The thread keeps its capabilities for a last mount; what it executes has none. Takes CAP_SETPCAP. */
    public static ConfinementStep dropInheritableCapabilities(RawSyscalls syscalls) {
        return DropCapabilities.ofPrograms(syscalls);
    }

    /** Takes every capability from the thread; together with {@link #noNewPrivs()} the child gets none back. */
    public static ConfinementStep dropCapabilities() {
        return dropCapabilities(RawSyscalls.host());
    }

    /** {@link #dropCapabilities()} by the given calls. */
    public static ConfinementStep dropCapabilities(RawSyscalls syscalls) {
        return DropCapabilities.ofTheThread(syscalls);
    }
}
