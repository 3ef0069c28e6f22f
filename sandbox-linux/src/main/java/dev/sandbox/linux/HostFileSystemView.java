package dev.sandbox.linux;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileDetails;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Statx;
import java.nio.charset.StandardCharsets;

/**
 * This host's file system, by statx(2) and readlinkat(2): what Java's own calls would do, but for names that the JVM's locale
 * cannot spell. Thread-safe.
 */
public final class HostFileSystemView implements FileSystemView {
    private final RawSyscalls raw;
    private final HostFileDetails details;

    public HostFileSystemView(LinuxSyscalls syscalls) {
        this.raw = syscalls.raw();
        this.details = new HostFileDetails(raw);
    }

    @Override
    public EntryKind kind(AbsolutePath path) {
        try (NativeArena arena = new NativeArena()) {
            long buffer = arena.allocate(Statx.SIZE);
            int result = raw.statx(
                    Fcntl.AT_FDCWD, arena.string(path.toString()), Fcntl.AT_SYMLINK_NOFOLLOW, Statx.STATX_TYPE, buffer);
            return result < 0 ? failed(-result) : ofMode(NativeRuntime.MEMORY.getShort(buffer + Statx.STX_MODE));
        }
    }

    private static EntryKind failed(int errno) {
        boolean nothing = errno == Errno.ENOENT.number()
                || errno == Errno.ENOTDIR.number()
                || errno == Errno.ENAMETOOLONG.number();
        return nothing ? EntryKind.MISSING : EntryKind.DENIED;
    }

    private static EntryKind ofMode(int mode) {
        return switch (mode & Statx.S_IFMT) {
            case Statx.S_IFREG -> EntryKind.FILE;
            case Statx.S_IFDIR -> EntryKind.DIRECTORY;
            case Statx.S_IFLNK -> EntryKind.SYMLINK;
            case Statx.S_IFSOCK -> EntryKind.SOCKET;
            case Statx.S_IFIFO -> EntryKind.FIFO;
            default -> EntryKind.DEVICE;
        };
    }

    @Override
    public FileDetails details() {
        return details;
    }

    /** {@inheritDoc} One that has gone since is said to name itself, so that whoever follows it looks at the place again. */
    @Override
    public String linkTarget(AbsolutePath link) {
        try (NativeArena arena = new NativeArena()) {
            long buffer = arena.allocate(AbsolutePath.PATH_MAX);
            int length = raw.readlinkat(Fcntl.AT_FDCWD, arena.string(link.toString()), buffer, AbsolutePath.PATH_MAX);
            if (length < 0) {
                return link.name();
            }
            byte[] target = new byte[length];
            NativeArena.copy(buffer, target, 0, length);
            return new String(target, StandardCharsets.UTF_8);
        }
    }
}
