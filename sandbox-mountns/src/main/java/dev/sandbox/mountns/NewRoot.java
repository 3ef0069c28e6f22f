package dev.sandbox.mountns;

import dev.sandbox.linux.RawSyscalls;
import dev.sandbox.linux.uapi.Fcntl;

/**
 * The step's root while it is filled, before anything is mounted in it. Each call gives 0 or a positive errno and loads no class, so
 * that the confined thread may make it.
 */
final class NewRoot implements AutoCloseable {
    private static final int NEW_FILE = Fcntl.O_WRONLY | Fcntl.O_CREAT | Fcntl.O_EXCL | Fcntl.O_CLOEXEC;

    private final RawSyscalls raw;
    private int fd = -1;

    NewRoot(RawSyscalls raw) {
        this.raw = raw;
    }

    int open(long path) {
        fd = raw.openat(Fcntl.AT_FDCWD, path, Fcntl.O_PATH | Fcntl.O_DIRECTORY | Fcntl.O_CLOEXEC, 0);
        return fd < 0 ? -fd : 0;
    }

    int fd() {
        return fd;
    }

    int directory(long path, int mode) {
        int result = raw.mkdirat(fd, path, mode);
        return result < 0 ? -result : changeMode(path, mode);
    }

    int file(long path, int mode) {
        int file = raw.openat(fd, path, NEW_FILE, mode);
        return file < 0 ? -file : Math.max(-raw.close(file), changeMode(path, mode));
    }

    /** Whatever the JVM's umask has taken off. */
    private int changeMode(long path, int mode) {
        return -raw.fchmodat(fd, path, mode);
    }

    int link(long path, long text) {
        return -raw.symlinkat(text, fd, path);
    }

    @Override
    public void close() {
        if (fd >= 0) {
            raw.close(fd);
        }
        fd = -1;
    }
}
