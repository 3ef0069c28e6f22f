package dev.sandbox.linux.landlock;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a domain may do only among its own processes, in the order of the bits; from Linux 6.12.
 *
 * <p>Source: include/uapi/linux/landlock.h, LANDLOCK_SCOPE_*.
 */
public enum Scope {
    ABSTRACT_UNIX_SOCKET(0),
    SIGNAL(1);

    private final int bit;

    Scope(int bit) {
        this.bit = bit;
    }

    /** The bit in {@code scoped}. */
    public long bit() {
        return 1L << bit;
    }

    /** All scopes that the ABI knows. */
    public static Set<Scope> of(LandlockAbi abi) {
        return abi.atLeast(LandlockAbi.SCOPES)
                ? Collections.unmodifiableSet(EnumSet.allOf(Scope.class))
                : Collections.emptySet();
    }

    /** The bits of all of them together. */
    public static long bits(Set<Scope> scopes) {
        return scopes.stream().mapToLong(Scope::bit).sum();
    }
}
