package dev.sandbox.linux.landlock;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Landlock's rights on TCP ports, in the order of their bits; from Linux 6.7.
 *
 * <p>Source: include/uapi/linux/landlock.h, LANDLOCK_ACCESS_NET_*.
 */
public enum NetRight {
    BIND_TCP(0),
    CONNECT_TCP(1);

    private final int bit;

    NetRight(int bit) {
        this.bit = bit;
    }

    /** The bit in {@code handled_access_net} and {@code allowed_access}. */
    public long bit() {
        return 1L << bit;
    }

    /** All rights that the ABI knows. */
    public static Set<NetRight> of(LandlockAbi abi) {
        return abi.atLeast(LandlockAbi.NETWORK)
                ? Collections.unmodifiableSet(EnumSet.allOf(NetRight.class))
                : Collections.emptySet();
    }

    /** The bits of all of them together. */
    public static long bits(Set<NetRight> rights) {
        return rights.stream().mapToLong(NetRight::bit).sum();
    }
}
