package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Statx;

/**
 * What statx(2) tells of an open file.
 *
 * @param identity which file it is
 * @param links how many names it has; 0 when it was removed
 * @param mountId the mount that it was reached through, as /proc/PID/mountinfo numbers them
 * @param place whether it is the root of that mount
 */
public record FileStatus(Identity identity, int links, long mountId, Place place) {
    static final int MASK = Statx.STATX_BASIC_STATS | Statx.STATX_BTIME | Statx.STATX_MNT_ID;

    /** Where it lies in its mount. */
    public enum Place {
        ROOT_OF_A_MOUNT,
        INSIDE_A_MOUNT
    }

    /**
     * Tells one file from every other that was and will be: a removed file's inode number is given again, its time of birth is not.
     *
     * @param device of its file system
     * @param inode its number there
     * @param bornSeconds when it was made; 0 on a file system that does not know
     * @param bornNanos the rest of that
     */
    public record Identity(long device, long inode, long bornSeconds, int bornNanos) {}

    static FileStatus read(long statx) {
        boolean known = (NativeArena.getInt(statx + Statx.STX_MASK) & Statx.STATX_BTIME) != 0;
        Identity identity = new Identity(
                NativeArena.getLong(statx + Statx.STX_DEV),
                NativeArena.getLong(statx + Statx.STX_INO),
                known ? NativeArena.getLong(statx + Statx.STX_BTIME) : 0,
                known ? NativeArena.getInt(statx + Statx.STX_BTIME + Statx.STX_NSEC) : 0);
        boolean root = (NativeArena.getLong(statx + Statx.STX_ATTRIBUTES) & Statx.STATX_ATTR_MOUNT_ROOT) != 0;
        return new FileStatus(
                identity,
                NativeArena.getInt(statx + Statx.STX_NLINK),
                NativeArena.getLong(statx + Statx.STX_MNT_ID),
                root ? Place.ROOT_OF_A_MOUNT : Place.INSIDE_A_MOUNT);
    }
}
