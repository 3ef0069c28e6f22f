package dev.sandbox.linux;

import dev.sandbox.domain.path.Identity;

/**
 * Gives the thread, and so the child, another identity: no supplementary group, then the group, then the user, since the first two
 * take what the last gives up. By the system calls themselves: the C library's functions of these names change every thread.
 *
 * <p>The kernel then makes the process undumpable, which keeps others of that uid from tracing it through this thread; it is not undone.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/setresuid.2.html">setresuid(2), C library/kernel differences</a>
 */
final class RunAsStep implements ConfinementStep {
    private final RawSyscalls syscalls;
    private final int uid;
    private final int gid;

    RunAsStep(RawSyscalls syscalls, Identity identity) {
        this.syscalls = syscalls;
        this.uid = (int) identity.uid();
        this.gid = (int) identity.gid();
    }

    @Override
    public String name() {
        return "run_as";
    }

    @Override
    public int apply() {
        int result = syscalls.setgroups(0, 0);
        result = result < 0 ? result : syscalls.setresgid(gid, gid, gid);
        return -(result < 0 ? result : syscalls.setresuid(uid, uid, uid));
    }
}
