package dev.sandbox.landlock;

import dev.sandbox.linux.NativeArena;
import dev.sandbox.linux.RawSyscalls;

/**
 * This kernel, as if its Landlock had an older ABI: it tells that number, and refuses what a kernel of that ABI does not know, with the
 * errno that such a kernel gives. What is not asked for, the real one does not restrict.
 *
 * <p>Source: include/uapi/linux/landlock.h of the kernels with that ABI; written down here again, so that a mistake of the product's
 * table shows.
 */
final class PretendedAbi extends RawSyscalls {
    private static final int EINVAL = 22;
    private static final int E2BIG = 7;
    private static final int VERSION = 1;
    private static final int PATH_BENEATH = 1;

    private static final int NETWORK = 4;
    private static final int SCOPED = 6;
    /** How many rights on files the ABI has: by its number, from 1 on. */
    private static final int[] FILES = {0, 13, 14, 15, 15, 16, 16};

    private static final long BOTH = 0b11;

    private final int version;

    PretendedAbi(int version) {
        this.version = version;
    }

    @Override
    public int landlockCreateRuleset(long attributes, long size, int flags) {
        if (flags == VERSION) {
            return version;
        }
        if (flags != 0) {
            return -EINVAL; // before Linux 6.15 there is no other flag
        }
        int known = version < NETWORK ? 8 : version < SCOPED ? 16 : 24;
        if (size > known) {
            return -E2BIG;
        }
        boolean unknown = hasMoreThan(files(), attributes)
                || (size > 8 && hasMoreThan(BOTH, attributes + 8))
                || (size > 16 && hasMoreThan(BOTH, attributes + 16));
        return unknown ? -EINVAL : super.landlockCreateRuleset(attributes, size, flags);
    }

    @Override
    public int landlockAddRule(int ruleset, int type, long attributes, int flags) {
        boolean unknown = type == PATH_BENEATH ? hasMoreThan(files(), attributes) : version < NETWORK;
        return unknown ? -EINVAL : super.landlockAddRule(ruleset, type, attributes, flags);
    }

    private long files() {
        return (1L << FILES[version]) - 1;
    }

    private static boolean hasMoreThan(long known, long address) {
        return (NativeArena.getLong(address) & ~known) != 0;
    }
}
