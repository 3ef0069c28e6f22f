package dev.sandbox.landlock;

import dev.sandbox.linux.NativeArena;
import dev.sandbox.linux.RawSyscalls;
import dev.sandbox.linux.landlock.FsRight;
import dev.sandbox.linux.landlock.LandlockAbi;
import dev.sandbox.linux.landlock.LandlockStructs;
import dev.sandbox.linux.landlock.NetRight;
import dev.sandbox.linux.landlock.Scope;

/**
 * This kernel, as if its Landlock had an older ABI: it tells that number, and refuses what a kernel of that ABI does not know, with the
 * errno that such a kernel gives. What is not asked for, the real one does not restrict.
 */
final class PretendedAbi extends RawSyscalls {
    private static final int EINVAL = 22;
    private static final int E2BIG = 7;
    private static final int VERSION = 1;

    private final LandlockAbi abi;

    PretendedAbi(int version) {
        this.abi = LandlockAbi.of(version);
    }

    @Override
    public int landlockCreateRuleset(long attributes, long size, int flags) {
        if (flags == VERSION) {
            return abi.version();
        }
        if (flags != 0) {
            return -EINVAL; // before Linux 6.15 there is no other flag
        }
        if (size > LandlockStructs.rulesetSize(abi)) {
            return -E2BIG;
        }
        boolean unknown = hasMoreThan(FsRight.bits(FsRight.of(abi)), attributes + LandlockStructs.HANDLED_ACCESS_FS)
                || (size > LandlockStructs.HANDLED_ACCESS_NET
                        && hasMoreThan(
                                NetRight.bits(NetRight.of(abi)), attributes + LandlockStructs.HANDLED_ACCESS_NET))
                || (size > LandlockStructs.SCOPED
                        && hasMoreThan(Scope.bits(Scope.of(abi)), attributes + LandlockStructs.SCOPED));
        return unknown ? -EINVAL : super.landlockCreateRuleset(attributes, size, flags);
    }

    @Override
    public int landlockAddRule(int ruleset, int type, long attributes, int flags) {
        boolean unknown = type == LandlockStructs.RULE_PATH_BENEATH
                ? hasMoreThan(FsRight.bits(FsRight.of(abi)), attributes + LandlockStructs.ALLOWED_ACCESS)
                : !abi.atLeast(LandlockAbi.NETWORK);
        return unknown ? -EINVAL : super.landlockAddRule(ruleset, type, attributes, flags);
    }

    private static boolean hasMoreThan(long known, long address) {
        return (NativeArena.getLong(address) & ~known) != 0;
    }
}
