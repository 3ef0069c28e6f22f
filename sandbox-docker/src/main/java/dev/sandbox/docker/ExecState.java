package dev.sandbox.docker;

import dev.sandbox.domain.isolation.ExitStatus;

/**
 * What the engine says of a command in a container.
 *
 * @param running whether it runs
 * @param pid the host's process id; 0 while, and if, it never started
 * @param exitCode its exit code once it ended
 */
record ExecState(boolean running, long pid, int exitCode) {
    private static final int SIGNAL_BASE = 128;
    private static final int LAST_SIGNAL = 31;

    /**
     * The engine adds 128 to a signal's number and forgets which of the two it was: a command that calls exit(137) is told as
     * killed. Real-time signals are nobody's, so their range is left to exit codes.
     */
    ExitStatus status() {
        int signal = exitCode - SIGNAL_BASE;
        return signal >= 1 && signal <= LAST_SIGNAL ? ExitStatus.signaled(signal) : ExitStatus.exited(exitCode);
    }
}
