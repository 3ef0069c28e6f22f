package dev.sandbox.linux;

import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.uapi.Signals;

/**
 * How this process treats SIGCHLD. One that ignores it has its children reaped by the kernel, and their ends are lost: so it was
 * started by {@code env --ignore-signal=CHLD} or by a program that does the same.
 */
final class ChildSignal {
    private ChildSignal() {}

    static void check(RawSyscalls raw) {
        try (NativeArena arena = new NativeArena()) {
            long action = arena.allocate(Signals.SIGACTION_SIZE);
            LinuxSyscalls.check(raw.sigaction(Signals.SIGCHLD, action), "rt_sigaction", "SIGCHLD");
            boolean ignored = NativeArena.getLong(action) == Signals.SIG_IGN
                    || (NativeArena.getLong(action + Signals.SA_FLAGS) & Signals.SA_NOCLDWAIT) != 0;
            if (ignored) {
                throw new SandboxUnavailableException(
                        "spawn",
                        "this process ignores SIGCHLD, so the kernel does not say how its children end; nothing ran",
                        "start it with SIGCHLD at its default");
            }
        }
    }
}
