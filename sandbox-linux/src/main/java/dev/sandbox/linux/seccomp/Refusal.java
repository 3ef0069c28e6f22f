package dev.sandbox.linux.seccomp;

import dev.sandbox.linux.Errno;
import dev.sandbox.linux.uapi.Seccomp;

/** What a denied call gets. */
public enum Refusal {
    /** Not permitted: as without the privilege. */
    EPERM(Seccomp.SECCOMP_RET_ERRNO | Errno.EPERM.number()),
    /** Denied by the policy. */
    EACCES(Seccomp.SECCOMP_RET_ERRNO | Errno.EACCES.number()),
    /** There is no such call: libraries fall back to an older one. */
    ENOSYS(Seccomp.SECCOMP_RET_ERRNO | Errno.ENOSYS.number()),
    /** The process is killed: no honest program does this. */
    KILL(Seccomp.SECCOMP_RET_KILL_PROCESS);

    private final int verdict;

    Refusal(int verdict) {
        this.verdict = verdict;
    }

    /** The filter's return value. */
    int verdict() {
        return verdict;
    }
}
