package dev.sandbox.linux;

import dev.sandbox.domain.isolation.ExitStatus;
import dev.sandbox.linux.uapi.Wait;
import java.util.Optional;

/**
 * The child itself, by pidfd. Its end is first only looked at (WNOWAIT): until it is reaped its number, which names its
 * process group and its session too, belongs to nobody else.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/waitid.2.html">waitid(2)</a>
 */
final class Child {
    private static final int EINTR = Errno.EINTR.number();

    private final RawSyscalls syscalls;
    private final int pid;
    private final FileDescriptor pidfd;

    Child(RawSyscalls syscalls, int pid, FileDescriptor pidfd) {
        this.syscalls = syscalls;
        this.pid = pid;
        this.pidfd = pidfd;
    }

    int pid() {
        return pid;
    }

    FileDescriptor pidfd() {
        return pidfd;
    }

    /** How it ended, if it has; it stays a zombie. */
    Optional<ExitStatus> peek() {
        return waitid(Wait.WEXITED | Wait.WNOHANG | Wait.WNOWAIT);
    }

    /** Waits for its end and frees its number. */
    ExitStatus reap() {
        return waitid(Wait.WEXITED).orElseThrow();
    }

    private Optional<ExitStatus> waitid(int options) {
        try (NativeArena arena = new NativeArena()) {
            long info = arena.allocate(Wait.SIGINFO_SIZE);
            int result;
            do {
                result = syscalls.waitidPidfd(pidfd.number(), info, options);
            } while (result == -EINTR);
            LinuxSyscalls.check(result, "waitid", "pid=" + pid);
            return NativeArena.getInt(info + Wait.SI_PID) == 0 ? Optional.empty() : Optional.of(status(info));
        }
    }

    private static ExitStatus status(long info) {
        return status(NativeArena.getInt(info + Wait.SI_CODE), NativeArena.getInt(info + Wait.SI_STATUS));
    }

    /** {@code si_status} is the exit code for CLD_EXITED, and the signal for CLD_KILLED and CLD_DUMPED (a core was written). */
    static ExitStatus status(int code, int status) {
        return switch (code) {
            case Wait.CLD_EXITED -> ExitStatus.exited(status & 0xff);
            case Wait.CLD_KILLED, Wait.CLD_DUMPED -> ExitStatus.signaled(status);
            default -> throw new IllegalStateException("waitid told si_code " + code + " of an ended process");
        };
    }
}
