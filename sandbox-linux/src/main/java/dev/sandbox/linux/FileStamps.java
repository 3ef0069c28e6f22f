package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Statx;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks again and again at what stands at some paths: a system call for each, and no garbage. Two equal looks mean the same files only
 * while something keeps the first ones, as a Landlock rule does; else a new file may have got the number of an old one. One thread at
 * a time.
 */
public final class FileStamps implements AutoCloseable {
    private static final int WORDS = 3;

    private final RawSyscalls syscalls;
    private final NativeArena arena = new NativeArena();
    private final List<Long> paths = new ArrayList<>();
    private final long buffer = arena.allocate(Statx.SIZE);

    public FileStamps(List<String> paths, RawSyscalls syscalls) {
        this.syscalls = syscalls;
        paths.forEach(path -> this.paths.add(arena.string(path)));
    }

    /** Device and number of each, or why there is none; a link is not followed. */
    public long[] look() {
        long[] stamps = new long[paths.size() * WORDS];
        for (int i = 0; i < paths.size(); i++) {
            int flags = Fcntl.AT_SYMLINK_NOFOLLOW | Fcntl.AT_STATX_DONT_SYNC;
            int result = syscalls.statx(Fcntl.AT_FDCWD, paths.get(i), flags, Statx.STATX_INO, buffer);
            stamps[i * WORDS] = result;
            if (result == 0) {
                stamps[i * WORDS + 1] = NativeArena.getLong(buffer + Statx.STX_DEV);
                stamps[i * WORDS + 2] = NativeArena.getLong(buffer + Statx.STX_INO);
            }
        }
        return stamps;
    }

    @Override
    public void close() {
        arena.close();
    }
}
