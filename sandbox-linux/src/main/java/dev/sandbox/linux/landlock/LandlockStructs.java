package dev.sandbox.linux.landlock;

/**
 * Layouts of the structs that Landlock takes.
 *
 * <p>Source: include/uapi/linux/landlock.h.
 */
public final class LandlockStructs {
    /** {@code struct landlock_ruleset_attr} as of ABI 6: three 64-bit words. */
    public static final int RULESET_SIZE = 24;

    public static final int HANDLED_ACCESS_FS = 0;
    public static final int HANDLED_ACCESS_NET = 8;
    public static final int SCOPED = 16;

    /** {@code struct landlock_path_beneath_attr}: packed, a 64-bit word and a 32-bit descriptor. */
    public static final int PATH_BENEATH_SIZE = 12;

    public static final int ALLOWED_ACCESS = 0;
    public static final int PARENT_FD = 8;

    public static final int RULE_PATH_BENEATH = 1;

    /** {@code struct landlock_net_port_attr}: two 64-bit words, the port in host order. From ABI 4 on. */
    public static final int NET_PORT_SIZE = 16;

    public static final int PORT = 8;

    public static final int RULE_NET_PORT = 2;

    private static final int SIZE_BEFORE_NETWORK = 8;
    private static final int SIZE_BEFORE_SCOPES = 16;

    private LandlockStructs() {}

    /** The size that a kernel of this ABI knows; a larger struct is E2BIG unless its rest is zero. */
    public static int rulesetSize(LandlockAbi abi) {
        if (!abi.atLeast(LandlockAbi.NETWORK)) {
            return SIZE_BEFORE_NETWORK;
        }
        return abi.atLeast(LandlockAbi.SCOPES) ? RULESET_SIZE : SIZE_BEFORE_SCOPES;
    }
}
