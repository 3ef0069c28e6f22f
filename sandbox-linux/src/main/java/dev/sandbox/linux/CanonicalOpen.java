package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.OpenHow;

/**
 * Opens a path in which no component is a symbolic link.
 *
 * <p>By openat2(2); inside another sandbox, whose filter denies that call, component by component: each is opened below the one before
 * and is never followed, so that nothing can be put in between.
 */
final class CanonicalOpen {
    private final RawSyscalls raw;

    CanonicalOpen(RawSyscalls raw) {
        this.raw = raw;
    }

    /**
     * The descriptor, or the negative errno; ELOOP or ENOTDIR for a symbolic link.
     *
     * @param path absolute
     * @param flags of open(2); O_CLOEXEC is added
     */
    int open(String path, int flags) {
        try (NativeArena arena = new NativeArena()) {
            long how = arena.allocate(OpenHow.SIZE);
            NativeArena.putLong(how + OpenHow.FLAGS, flags | Fcntl.O_CLOEXEC);
            NativeArena.putLong(how + OpenHow.RESOLVE, OpenHow.RESOLVE_NO_MAGICLINKS | OpenHow.RESOLVE_NO_SYMLINKS);
            int fd = raw.openat2(Fcntl.AT_FDCWD, arena.string(path), how, OpenHow.SIZE);
            return fd == -Errno.ENOSYS.number() ? walk(path, flags, arena) : fd;
        }
    }

    private int walk(String path, int flags, NativeArena arena) {
        if (!path.startsWith("/")) {
            return -Errno.EINVAL.number();
        }
        String[] names = path.substring(1).split("/+");
        int first = names[0].isEmpty() ? flags : Fcntl.O_PATH;
        int fd = raw.openat(Fcntl.AT_FDCWD, arena.string("/"), first | Fcntl.O_CLOEXEC, 0);
        for (int i = 0; i < names.length && fd >= 0 && !names[i].isEmpty(); i++) {
            int wanted = i == names.length - 1 ? flags : Fcntl.O_PATH | Fcntl.O_DIRECTORY;
            int next = raw.openat(fd, arena.string(names[i]), wanted | Fcntl.O_NOFOLLOW | Fcntl.O_CLOEXEC, 0);
            raw.close(fd);
            fd = next;
        }
        return fd >= 0 ? unlessLink(fd, arena) : fd;
    }

    /** With O_PATH and O_NOFOLLOW a link is opened itself. */
    private int unlessLink(int fd, NativeArena arena) {
        if (raw.readlinkat(fd, arena.string(""), arena.allocate(Long.BYTES), Long.BYTES) < 0) {
            return fd;
        }
        raw.close(fd);
        return -Errno.ELOOP.number();
    }
}
