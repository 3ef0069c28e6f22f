package dev.sandbox.linux.uapi;

/**
 * Offsets in the records of getdents64(2).
 *
 * <p>Source: include/linux/dirent.h.
 */
public final class Dirent {
    public static final int D_RECLEN = 16;
    public static final int D_NAME = 19;

    private Dirent() {}
}
