package dev.sandbox.linux.uapi;

/**
 * Capability sets.
 *
 * <p>Source: include/uapi/linux/capability.h.
 */
public final class Capability {
    public static final int CAP_CHOWN = 0;
    public static final int CAP_SETGID = 6;
    public static final int CAP_SETUID = 7;
    public static final int CAP_SETPCAP = 8;
    public static final int CAP_SYS_ADMIN = 21;

    public static final int LINUX_CAPABILITY_VERSION_3 = 0x20080522;
    /** {@code sizeof(struct __user_cap_header_struct)}. */
    public static final int HEADER_SIZE = 8;
    /** Two of {@code struct __user_cap_data_struct}: the low and the high 32 capabilities. */
    public static final int DATA_SIZE = 24;
    /** Offsets in it; each struct holds effective, permitted and inheritable, 32 bits of each. */
    public static final int EFFECTIVE_LOW = 0;

    public static final int PERMITTED_LOW = 4;
    public static final int EFFECTIVE_HIGH = 12;
    public static final int PERMITTED_HIGH = 16;
    /** The sets are 64 bits wide, so no kernel can have a later one. */
    public static final int LAST_POSSIBLE = 63;

    private Capability() {}
}
