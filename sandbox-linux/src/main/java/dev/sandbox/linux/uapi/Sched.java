package dev.sandbox.linux.uapi;

/**
 * Flags of clone(2) and unshare(2).
 *
 * <p>Source: include/uapi/linux/sched.h.
 */
public final class Sched {
    public static final int CLONE_VM = 0x00000100;
    public static final int CLONE_FS = 0x00000200;
    public static final int CLONE_FILES = 0x00000400;
    public static final int CLONE_VFORK = 0x00004000;
    public static final int CLONE_PARENT = 0x00008000;
    public static final int CLONE_NEWNS = 0x00020000;
    public static final int CLONE_PARENT_SETTID = 0x00100000;
    public static final int CLONE_NEWUTS = 0x04000000;
    public static final int CLONE_NEWIPC = 0x08000000;
    public static final int CLONE_NEWUSER = 0x10000000;
    public static final int CLONE_NEWPID = 0x20000000;
    public static final int CLONE_NEWNET = 0x40000000;

    /** Of clone3(2) alone. */
    public static final long CLONE_INTO_CGROUP = 0x200000000L;

    private Sched() {}
}
