package dev.sandbox.linux.landlock;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Landlock's own file system rights, in the order of their bits.
 *
 * <p>Source: include/uapi/linux/landlock.h, LANDLOCK_ACCESS_FS_*.
 */
public enum FsRight {
    EXECUTE(0, 1, Applies.TO_FILES),
    WRITE_FILE(1, 1, Applies.TO_FILES),
    READ_FILE(2, 1, Applies.TO_FILES),
    READ_DIR(3, 1, Applies.TO_DIRECTORIES),
    REMOVE_DIR(4, 1, Applies.TO_DIRECTORIES),
    REMOVE_FILE(5, 1, Applies.TO_DIRECTORIES),
    MAKE_CHAR(6, 1, Applies.TO_DIRECTORIES),
    MAKE_DIR(7, 1, Applies.TO_DIRECTORIES),
    MAKE_REG(8, 1, Applies.TO_DIRECTORIES),
    MAKE_SOCK(9, 1, Applies.TO_DIRECTORIES),
    MAKE_FIFO(10, 1, Applies.TO_DIRECTORIES),
    MAKE_BLOCK(11, 1, Applies.TO_DIRECTORIES),
    MAKE_SYM(12, 1, Applies.TO_DIRECTORIES),
    /** Rename and link across directories; from Linux 5.19. */
    REFER(13, 2, Applies.TO_DIRECTORIES),
    /** From Linux 6.2; before, a file that may be read may be truncated. */
    TRUNCATE(14, 3, Applies.TO_FILES),
    /** ioctl(2) on devices; from Linux 6.10. */
    IOCTL_DEV(15, 5, Applies.TO_FILES),
    /** Connecting to a unix socket by its path, unless it was made in the same domain; from ABI 9 on. */
    RESOLVE_UNIX(16, LandlockAbi.UNIX_SOCKETS, Applies.TO_FILES);

    private enum Applies {
        TO_FILES,
        TO_DIRECTORIES
    }

    private final int bit;
    private final int sinceAbi;
    private final Applies applies;

    FsRight(int bit, int sinceAbi, Applies applies) {
        this.bit = bit;
        this.sinceAbi = sinceAbi;
        this.applies = applies;
    }

    /** The bit in {@code handled_access_fs} and {@code allowed_access}. */
    public long bit() {
        return 1L << bit;
    }

    /** True when a rule on a plain file, device, pipe or socket may carry it; the kernel answers EINVAL otherwise. */
    public boolean appliesToFiles() {
        return applies == Applies.TO_FILES;
    }

    /** All rights that the ABI knows. */
    public static Set<FsRight> of(LandlockAbi abi) {
        EnumSet<FsRight> rights = EnumSet.allOf(FsRight.class);
        rights.removeIf(right -> right.sinceAbi > abi.version());
        return Collections.unmodifiableSet(rights);
    }

    /** The bits of all of them together. */
    public static long bits(Set<FsRight> rights) {
        return rights.stream().mapToLong(FsRight::bit).sum();
    }
}
