package dev.sandbox.domain.policy;

import java.util.Locale;

/**
 * What of the host's {@code /dev} a step may share where the backend gives it none of its own. Mount namespaces and containers do;
 * Landlock cannot tell the step's own from what other programs of the same account have there.
 */
public enum HostDevice {
    /**
     * Pseudo-terminals: {@code /dev/ptmx} and {@code /dev/pts}. The step can then also read from and write to every other terminal of
     * its account.
     */
    PTY,
    /**
     * Shared memory and POSIX semaphores: {@code /dev/shm}. The step can then also read, change and remove those of other programs of
     * its account.
     */
    SHM;

    /** The name in policies and JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
