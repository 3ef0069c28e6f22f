package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Signals;
import dev.sandbox.linux.uapi.Wait;

/** A child whose start went wrong half-way, or a helper: killed and reaped. Its number is its own until it is reaped. */
final class Orphan {
    private Orphan() {}

    static void end(int pid) {
        if (pid <= 0) {
            return;
        }
        RawSyscalls syscalls = RawSyscalls.host();
        syscalls.kill(-pid, Signals.SIGKILL);
        syscalls.kill(pid, Signals.SIGKILL);
        try (NativeArena arena = new NativeArena()) {
            long info = arena.allocate(Wait.SIGINFO_SIZE);
            int result;
            do {
                result = syscalls.waitidPid(pid, info, Wait.WEXITED | Wait.WALL);
            } while (result == -Errno.EINTR.number());
        }
    }
}
