package dev.sandbox.linux.uapi;

/**
 * Flags of mount(2) and of the calls that have come after it.
 *
 * <p>Source: include/uapi/linux/mount.h, include/uapi/linux/fcntl.h.
 */
public final class Mount {
    public static final int MS_RDONLY = 1;
    public static final int MS_NOSUID = 2;
    public static final int MS_NODEV = 4;
    public static final int MS_NOEXEC = 8;
    public static final int MS_REC = 16384;
    public static final int MS_PRIVATE = 1 << 18;
    public static final int MS_SLAVE = 1 << 19;

    public static final int MNT_DETACH = 2;

    public static final int OPEN_TREE_CLONE = 1;
    public static final int OPEN_TREE_CLOEXEC = Fcntl.O_CLOEXEC;
    public static final int AT_RECURSIVE = 0x8000;

    public static final int MOVE_MOUNT_F_EMPTY_PATH = 0x4;
    public static final int MOVE_MOUNT_T_EMPTY_PATH = 0x40;

    public static final long MOUNT_ATTR_RDONLY = 1;
    public static final long MOUNT_ATTR_NOSUID = 2;
    public static final long MOUNT_ATTR_NODEV = 4;
    public static final long MOUNT_ATTR_NOEXEC = 8;

    private Mount() {}
}
