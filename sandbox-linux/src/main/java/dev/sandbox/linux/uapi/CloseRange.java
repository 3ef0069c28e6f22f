package dev.sandbox.linux.uapi;

/**
 * Flags of close_range(2).
 *
 * <p>Source: include/uapi/linux/close_range.h.
 */
public final class CloseRange {
    public static final int CLOSE_RANGE_UNSHARE = 2;
    public static final int CLOSE_RANGE_CLOEXEC = 4;

    private CloseRange() {}
}
