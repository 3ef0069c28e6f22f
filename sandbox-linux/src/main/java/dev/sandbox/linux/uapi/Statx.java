package dev.sandbox.linux.uapi;

/**
 * statx(2), whose struct is the same on every architecture, which that of stat(2) is not.
 *
 * <p>Source: include/uapi/linux/stat.h.
 */
public final class Statx {
    public static final int S_IFMT = 0170000;
    public static final int S_IFSOCK = 0140000;
    public static final int S_IFLNK = 0120000;
    public static final int S_IFREG = 0100000;
    public static final int S_IFDIR = 0040000;
    public static final int S_IFCHR = 0020000;
    public static final int S_IFIFO = 0010000;

    public static final int STATX_TYPE = 1;
    public static final int STATX_MODE = 2;
    public static final int STATX_INO = 0x100;
    public static final int STATX_SIZE = 0x200;
    public static final int STATX_CTIME = 0x80;
    /** Not on every file system: what is known stands in stx_mask. */
    public static final int STATX_BTIME = 0x800;

    public static final int STATX_BASIC_STATS = 0x7ff;
    /** Since Linux 5.8. */
    public static final int STATX_MNT_ID = 0x1000;

    /** In stx_attributes, since Linux 5.8: a file system, or a part of one, is mounted here. */
    public static final long STATX_ATTR_MOUNT_ROOT = 0x2000;

    /** {@code sizeof(struct statx)}. */
    public static final int SIZE = 256;

    public static final int STX_MASK = 0;
    public static final int STX_ATTRIBUTES = 8;
    public static final int STX_NLINK = 16;
    public static final int STX_UID = 20;
    public static final int STX_GID = 24;
    public static final int STX_MODE = 28;
    public static final int STX_INO = 32;
    public static final int STX_SIZE = 40;
    /** {@code struct statx_timestamp}: seconds, 64 bits, and nanoseconds, 32 bits at {@link #STX_NSEC}. */
    public static final int STX_BTIME = 80;

    public static final int STX_CTIME = 96;
    public static final int STX_MTIME = 112;
    public static final int STX_NSEC = 8;
    /** Of a device: major and minor, 32 bits each. */
    public static final int STX_RDEV = 128;
    /** Major and minor, 32 bits each. */
    public static final int STX_DEV = 136;

    public static final int STX_MNT_ID = 144;

    /** Documentation/admin-guide/devices.txt, as the other. */
    public static final int NULL_DEVICE_MAJOR = 1;

    public static final int NULL_DEVICE_MINOR = 3;

    private Statx() {}
}
