package dev.sandbox.linux.uapi;

/**
 * Resources of getrlimit(2).
 *
 * <p>Source: include/uapi/asm-generic/resource.h (the same on x86-64 and arm64).
 */
public final class Rlimit {
    public static final int RLIMIT_CPU = 0;
    public static final int RLIMIT_FSIZE = 1;
    public static final int RLIMIT_DATA = 2;
    public static final int RLIMIT_STACK = 3;
    public static final int RLIMIT_NPROC = 6;
    public static final int RLIMIT_NOFILE = 7;

    /** {@code struct rlimit64}: the soft limit, then the hard one. */
    public static final int SIZE = 16;

    public static final int HARD = 8;

    private Rlimit() {}
}
