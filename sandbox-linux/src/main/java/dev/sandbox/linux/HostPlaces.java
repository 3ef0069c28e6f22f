package dev.sandbox.linux;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Statx;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;

/**
 * What the host has at the places of mounts that are kept, to be compared with a later look. The kernel takes a mount away when the place
 * it stands on is removed by a program of the host, and a file that is made there later may be given the same inode number.
 *
 * @param identities device, inode and, where they are needed, times, in the order of the places
 * @param missing how many places the host does not have
 */
public record HostPlaces(List<Long> identities, int missing) {
    private static final int MASK = Statx.STATX_INO | Statx.STATX_BTIME | Statx.STATX_CTIME;

    public HostPlaces {
        identities = List.copyOf(identities);
    }

    /** A look at some places; a symbolic link is not followed. */
    public static HostPlaces of(NavigableSet<AbsolutePath> places, LinuxSyscalls syscalls) {
        List<Long> identities = new ArrayList<>();
        int missing = 0;
        try (NativeArena arena = new NativeArena()) {
            long buffer = arena.allocate(Statx.SIZE);
            for (AbsolutePath place : places) {
                long path = arena.string(place.toString());
                int result = syscalls.raw().statx(Fcntl.AT_FDCWD, path, Fcntl.AT_SYMLINK_NOFOLLOW, MASK, buffer);
                missing += result == -Errno.ENOENT.number() ? 1 : 0;
                boolean insideAnother = place.ancestors().stream().anyMatch(places::contains);
                identities.addAll(result < 0 ? List.of((long) result) : identity(buffer, insideAnother));
            }
        }
        return new HostPlaces(identities, missing);
    }

    /**
     * A mount holds what it shows, whose number is then its own. The place that it stands on, inside another mount of the host, it holds
     * only as long as that is there: the time when that was made tells it from a later one, or its last change where the file system does
     * not know.
     */
    private static List<Long> identity(long statx, boolean insideAnother) {
        List<Long> identity = new ArrayList<>();
        identity.add(NativeArena.getLong(statx + Statx.STX_DEV));
        identity.add(NativeArena.getLong(statx + Statx.STX_INO));
        if (insideAnother) {
            boolean known = (NativeArena.getInt(statx + Statx.STX_MASK) & Statx.STATX_BTIME) != 0;
            long time = statx + (known ? Statx.STX_BTIME : Statx.STX_CTIME);
            identity.add(NativeArena.getLong(time));
            identity.add((long) NativeArena.getInt(time + Statx.STX_NSEC));
        }
        return identity;
    }
}
