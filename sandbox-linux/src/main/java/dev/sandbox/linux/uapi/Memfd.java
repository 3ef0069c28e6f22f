package dev.sandbox.linux.uapi;

/**
 * Flags of memfd_create(2).
 *
 * <p>Source: include/uapi/linux/memfd.h.
 */
public final class Memfd {
    public static final int MFD_CLOEXEC = 0x1;
    public static final int MFD_ALLOW_SEALING = 0x2;
    /** Linux 6.3. */
    public static final int MFD_EXEC = 0x10;

    private Memfd() {}
}
