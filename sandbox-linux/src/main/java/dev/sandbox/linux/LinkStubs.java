package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Prctl;

/** Calls every kind of stub once, harmlessly, so that the confined thread finds them linked. */
final class LinkStubs implements ConfinementStep {
    private static final int NO_FD = -1;

    private final RawSyscalls syscalls;

    LinkStubs(RawSyscalls syscalls) {
        this.syscalls = syscalls;
    }

    @Override
    public String name() {
        return "link_stubs";
    }

    /** Each fails or does nothing: bad descriptors, null addresses, no flags. */
    @Override
    public int apply() {
        syscalls.prctl(Prctl.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
        syscalls.gettid();
        syscalls.unshare(0);
        syscalls.setns(NO_FD, 0);
        syscalls.mount(0, 0, 0, 0, 0);
        syscalls.umount2(0, 0);
        syscalls.chdir(0);
        syscalls.chroot(0);
        syscalls.openat(NO_FD, 0, 0, 0);
        syscalls.mkdirat(NO_FD, 0, 0);
        syscalls.read(NO_FD, 0, 0);
        syscalls.write(NO_FD, 0, 0);
        syscalls.symlinkat(0, NO_FD, 0);
        syscalls.fchmodat(NO_FD, 0, 0);
        syscalls.socket(NO_FD, 0, 0);
        syscalls.ioctl(NO_FD, 0, 0);
        syscalls.close(NO_FD);
        syscalls.closeRange(1, 0, 0);
        return 0;
    }
}
