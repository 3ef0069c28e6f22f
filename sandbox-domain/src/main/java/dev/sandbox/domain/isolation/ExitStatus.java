package dev.sandbox.domain.isolation;

import java.util.OptionalInt;

/**
 * How a process ended, as wait(2) tells it: an exit code, or the signal that killed it. Immutable, thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/wait.2.html">wait(2)</a>
 */
public final class ExitStatus {
    private static final int SIGNAL_BASE = 128;

    private final int code;
    private final int signal;

    private ExitStatus(int code, int signal) {
        this.code = code;
        this.signal = signal;
    }

    /** The process called exit with this code, 0 to 255. */
    public static ExitStatus exited(int code) {
        return new ExitStatus(code, 0);
    }

    /** The process was killed by this signal, from 1 on. */
    public static ExitStatus signaled(int signal) {
        return new ExitStatus(SIGNAL_BASE + signal, signal);
    }

    /** The exit code as a shell gives it: the command's own, or 128 + N when killed by signal N. */
    public int shellCode() {
        return code;
    }

    /** The signal that killed the process, if one did. */
    public OptionalInt signal() {
        return signal == 0 ? OptionalInt.empty() : OptionalInt.of(signal);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ExitStatus that && code == that.code && signal == that.signal;
    }

    @Override
    public int hashCode() {
        return 31 * code + signal;
    }

    @Override
    public String toString() {
        return signal == 0 ? "exit " + code : "signal " + signal;
    }
}
