package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Prctl;

/**
 * No set-user-id bit and no file capability raises what the child may do. The kernel asks for it before an unprivileged
 * thread may use Landlock or seccomp.
 */
final class NoNewPrivs implements ConfinementStep {
    private final RawSyscalls syscalls;

    NoNewPrivs(RawSyscalls syscalls) {
        this.syscalls = syscalls;
    }

    @Override
    public String name() {
        return "no_new_privs";
    }

    @Override
    public int apply() {
        return -syscalls.prctl(Prctl.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    }
}
