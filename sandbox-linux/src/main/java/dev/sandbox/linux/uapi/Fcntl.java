package dev.sandbox.linux.uapi;

/**
 * Flags of open(2) and fcntl(2).
 *
 * <p>Source: include/uapi/asm-generic/fcntl.h, arch/arm64/include/uapi/asm/fcntl.h, include/uapi/linux/fcntl.h.
 */
public final class Fcntl {
    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 1;
    public static final int O_RDWR = 2;
    public static final int O_CREAT = 0100;
    public static final int O_EXCL = 0200;
    public static final int O_NOCTTY = 0400;
    public static final int O_NONBLOCK = 04000;
    /** Differs on arm64. */
    public static final int O_DIRECTORY = Architecture.host() == Architecture.AARCH64 ? 040000 : 0200000;
    /** Differs on arm64. */
    public static final int O_NOFOLLOW = Architecture.host() == Architecture.AARCH64 ? 0100000 : 0400000;

    public static final int O_CLOEXEC = 02000000;
    public static final int O_PATH = 010000000;
    /** {@code __O_TMPFILE}: the bit of O_TMPFILE that is its own. */
    public static final int O_TMPFILE_BIT = 020000000;

    public static final int F_GETFD = 1;
    public static final int F_SETFD = 2;
    public static final int F_GETFL = 3;
    public static final int F_SETFL = 4;
    public static final int F_DUPFD_CLOEXEC = 1030;

    public static final int F_ADD_SEALS = 1033;
    public static final int F_GET_SEALS = 1034;

    public static final int F_SEAL_SEAL = 0x1;
    public static final int F_SEAL_SHRINK = 0x2;
    public static final int F_SEAL_GROW = 0x4;
    public static final int F_SEAL_WRITE = 0x8;

    public static final int X_OK = 1;
    public static final int W_OK = 2;
    public static final int R_OK = 4;

    public static final int AT_FDCWD = -100;
    public static final int AT_SYMLINK_NOFOLLOW = 0x100;
    public static final int AT_REMOVEDIR = 0x200;
    public static final int AT_EMPTY_PATH = 0x1000;
    /** Of statx(2): what the kernel knows already, without asking a server. */
    public static final int AT_STATX_DONT_SYNC = 0x4000;

    private Fcntl() {}
}
