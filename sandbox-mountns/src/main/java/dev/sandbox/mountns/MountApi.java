package dev.sandbox.mountns;

import dev.sandbox.linux.uapi.Fcntl;

/**
 * Constants of the mount calls.
 *
 * <p>Source: include/uapi/linux/mount.h, include/uapi/linux/openat2.h, include/uapi/linux/fcntl.h, include/uapi/linux/if.h,
 * include/uapi/linux/sockios.h, include/uapi/linux/pidfd.h.
 */
final class MountApi {
    static final int MS_NOSUID = 2;
    static final int MS_NODEV = 4;
    static final int MS_NOEXEC = 8;
    static final int MS_REC = 16384;
    static final int MS_PRIVATE = 1 << 18;
    static final int MNT_DETACH = 2;

    static final int OPEN_TREE_CLONE = 1;
    static final int OPEN_TREE_CLOEXEC = Fcntl.O_CLOEXEC;
    static final int AT_RECURSIVE = 0x8000;
    static final int MOVE_MOUNT_F_EMPTY_PATH = 0x4;
    static final int MOVE_MOUNT_T_EMPTY_PATH = 0x40;

    static final long MOUNT_ATTR_RDONLY = 1;
    static final long MOUNT_ATTR_NOSUID = 2;
    static final long MOUNT_ATTR_NODEV = 4;
    static final long MOUNT_ATTR_NOEXEC = 8;
    /** {@code sizeof(struct mount_attr)}: attr_set, attr_clr, propagation, userns_fd. */
    static final int MOUNT_ATTR_SIZE = 32;

    /** {@code sizeof(struct open_how)}: flags, mode, resolve. */
    static final int OPEN_HOW_SIZE = 24;

    static final int OPEN_HOW_RESOLVE = 16;
    static final long RESOLVE_NO_SYMLINKS = 4;

    static final int FSOPEN_CLOEXEC = 1;
    static final int FSMOUNT_CLOEXEC = 1;
    static final int FSCONFIG_SET_FD = 5;
    static final int FSCONFIG_CMD_CREATE = 6;
    /** {@code _IO(0xFF, 5)} of a pidfd; Linux 6.11. */
    static final long PIDFD_GET_PID_NAMESPACE = 0xFF05;

    static final int AF_INET = 2;
    static final int SOCK_DGRAM_CLOEXEC = 2 | Fcntl.O_CLOEXEC;
    static final long SIOCSIFFLAGS = 0x8914;
    /** {@code sizeof(struct ifreq)}: a name of 16 bytes, then a union. */
    static final int IFREQ_SIZE = 40;

    static final int IFREQ_FLAGS = 16;
    static final int IFF_UP_RUNNING = 0x41;

    private MountApi() {}
}
