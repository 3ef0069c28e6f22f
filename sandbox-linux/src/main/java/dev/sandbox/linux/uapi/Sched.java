package dev.sandbox.linux.uapi;

/**
 * Flags of unshare(2).
 *
 * <p>Source: include/uapi/linux/sched.h.
 */
public final class Sched {
    public static final int CLONE_FS = 0x00000200;
    public static final int CLONE_NEWNS = 0x00020000;
    public static final int CLONE_NEWUTS = 0x04000000;
    public static final int CLONE_NEWIPC = 0x08000000;
    public static final int CLONE_NEWUSER = 0x10000000;
    public static final int CLONE_NEWPID = 0x20000000;
    public static final int CLONE_NEWNET = 0x40000000;

    private Sched() {}
}
