package dev.sandbox.linux;

import dev.sandbox.domain.path.Identity;
import dev.sandbox.linux.uapi.Capability;
import java.util.List;

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

    /**
     * Another identity without supplementary groups. Before the capabilities are dropped, which it takes CAP_SETUID and CAP_SETGID to do,
     * and after what only the caller may do; programs get none of the caller's capabilities from then on.
     */
    public static List<ConfinementStep> runAs(RawSyscalls syscalls, Identity identity) {
        // First: taking from the bounding set needs a capability that the new identity does not have.
        return List.of(DropCapabilities.ofPrograms(syscalls), new RunAsStep(syscalls, identity));
    }

    /** Whether this process may give a step any identity, and folders to it. */
    public static boolean mayRunAs() {
        return DropCapabilities.has(Capability.CAP_CHOWN, Capability.CAP_SETGID, Capability.CAP_SETUID);
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
