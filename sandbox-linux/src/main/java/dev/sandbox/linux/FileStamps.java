package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Statx;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Looks again and again at what stands at some paths: a system call for each. Two equal looks mean the same files: a new one
 * may have the number of an old one, but was made at another time. One thread at a time.
 */
public final class FileStamps implements AutoCloseable {
    private static final int WORDS = 5;
    private static final int MASK = Statx.STATX_TYPE | Statx.STATX_INO | Statx.STATX_BTIME | Statx.STATX_CTIME;

    private final RawSyscalls syscalls;
    private final NativeArena arena = new NativeArena();
    private final List<Long> paths = new ArrayList<>();
    private final long buffer = arena.allocate(Statx.SIZE);
    private long[] known = {};

    public FileStamps(List<String> paths, RawSyscalls syscalls) {
        this.syscalls = syscalls;
        paths.forEach(path -> this.paths.add(arena.string(path)));
    }

    /** Looks, to compare with later: before what stands there is used, so that a change meanwhile shows. */
    public void remember() {
        known = look();
    }

    /** Whether the same stands there as when that was remembered. */
    public boolean unchanged() {
        return Arrays.equals(known, look());
    }

    /** Of each why there is none, or its kind, device, number and birth; a link is not followed. */
    private long[] look() {
        long[] stamps = new long[paths.size() * WORDS];
        for (int i = 0; i < paths.size(); i++) {
            int flags = Fcntl.AT_SYMLINK_NOFOLLOW | Fcntl.AT_STATX_DONT_SYNC;
            int result = syscalls.statx(Fcntl.AT_FDCWD, paths.get(i), flags, MASK, buffer);
            int at = i * WORDS;
            stamps[at] = result;
            if (result == 0) {
                boolean born = (NativeArena.getInt(buffer + Statx.STX_MASK) & Statx.STATX_BTIME) != 0;
                // Where no birth is known, the last change is more than enough.
                long time = buffer + (born ? Statx.STX_BTIME : Statx.STX_CTIME);
                stamps[at] = NativeRuntime.MEMORY.getShort(buffer + Statx.STX_MODE) & Statx.S_IFMT;
                stamps[at + 1] = NativeArena.getLong(buffer + Statx.STX_DEV);
                stamps[at + 2] = NativeArena.getLong(buffer + Statx.STX_INO);
                stamps[at + 3] = NativeArena.getLong(time);
                stamps[at + 4] = NativeArena.getInt(time + Statx.STX_NSEC);
            }
        }
        return stamps;
    }

    @Override
    public void close() {
        arena.close();
    }
}
