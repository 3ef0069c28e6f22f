package dev.sandbox.linux.uapi;

/**
 * Bits of a file's mode.
 *
 * <p>Source: include/uapi/linux/stat.h.
 */
public final class Stat {
    public static final int S_ISUID = 04000;
    public static final int S_ISGID = 02000;

    private Stat() {}
}
