package dev.sandbox.linux.uapi;

/**
 * {@code struct open_how} of openat2(2).
 *
 * <p>Source: include/uapi/linux/openat2.h.
 */
public final class OpenHow {
    /** {@code OPEN_HOW_SIZE_VER0}: three 64-bit words. */
    public static final int SIZE = 24;

    public static final int FLAGS = 0;
    public static final int RESOLVE = 16;

    public static final int RESOLVE_NO_MAGICLINKS = 0x02;
    public static final int RESOLVE_NO_SYMLINKS = 0x04;
    public static final int RESOLVE_BENEATH = 0x08;
    public static final int RESOLVE_IN_ROOT = 0x10;

    private OpenHow() {}
}
