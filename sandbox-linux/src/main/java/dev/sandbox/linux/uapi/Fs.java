package dev.sandbox.linux.uapi;

/**
 * ioctl(2) requests that change the flags of a file, the same on x86-64 and arm64. Their numbers say the size of a long or an int, of
 * which file systems take either.
 *
 * <p>Source: include/uapi/linux/fs.h.
 */
public final class Fs {
    public static final int FS_IOC_SETFLAGS = 0x40086602;
    public static final int FS_IOC32_SETFLAGS = 0x40046602;
    public static final int FS_IOC_SETVERSION = 0x40087602;
    public static final int FS_IOC32_SETVERSION = 0x40047602;
    public static final int FS_IOC_FSSETXATTR = 0x401c5820;

    private Fs() {}
}
