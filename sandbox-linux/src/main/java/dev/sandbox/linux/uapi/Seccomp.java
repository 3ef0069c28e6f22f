package dev.sandbox.linux.uapi;

/**
 * seccomp(2) and the data that its filters see.
 *
 * <p>Source: include/uapi/linux/seccomp.h.
 */
public final class Seccomp {
    public static final int SECCOMP_SET_MODE_FILTER = 1;

    public static final int SECCOMP_RET_KILL_PROCESS = 0x80000000;
    public static final int SECCOMP_RET_ERRNO = 0x00050000;
    public static final int SECCOMP_RET_ALLOW = 0x7fff0000;
    public static final int SECCOMP_RET_DATA = 0x0000ffff;

    /** {@code offsetof(struct seccomp_data, nr)}. */
    public static final int NR = 0;

    public static final int ARCH = 4;
    /** The low half of the first argument on a little-endian machine; each argument takes 8 bytes. */
    public static final int ARGUMENTS = 16;
    /** {@code sizeof(struct seccomp_data)}. */
    public static final int DATA_SIZE = 64;

    private Seccomp() {}
}
