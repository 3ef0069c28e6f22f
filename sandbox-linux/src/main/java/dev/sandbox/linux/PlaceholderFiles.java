package dev.sandbox.linux;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Statx;

/**
 * Makes and removes placeholders on the host. Follows no symbolic link on the way: a step could have left one. A placeholder bears a
 * mark, the sticky bit, which empty files and ordinary folders do not have: whatever a list says, nothing else is removed.
 */
final class PlaceholderFiles {
    private static final int FOLDER = Fcntl.O_PATH | Fcntl.O_DIRECTORY | Fcntl.O_NOFOLLOW;
    private static final int MARK = 01000;
    /** /tmp bears the mark too, but others may write there. */
    private static final int OTHERS_MAY_WRITE = 022;

    private static final int FOLDER_MODE = MARK | 0755;
    private static final int FILE_MODE = MARK | 0600;
    private static final int NEW_FILE = Fcntl.O_WRONLY | Fcntl.O_CREAT | Fcntl.O_EXCL | Fcntl.O_NOFOLLOW;

    private final LinuxSyscalls syscalls;

    PlaceholderFiles(LinuxSyscalls syscalls) {
        this.syscalls = syscalls;
    }

    /** Makes it; false when something of that name has come to stand there. */
    boolean create(HostPlaceholder placeholder) {
        if (placeholder.kind() == EntryKind.DIRECTORY) {
            return !new HostDirectories(syscalls)
                    .create(placeholder.path(), FOLDER_MODE)
                    .isEmpty();
        }
        try (FileDescriptor parent = parent(placeholder.path())) {
            syscalls.openat(parent, placeholder.path().name(), NEW_FILE, FILE_MODE)
                    .close();
            return true;
        } catch (SyscallException e) {
            if (e.is(Errno.EEXIST)) {
                return false;
            }
            throw e;
        }
    }

    /** Whether what stands there is a placeholder of this account, and still that one; an empty identity is any. */
    boolean isPlaceholder(HostPlaceholder placeholder, String identity) {
        try (FileDescriptor parent = parent(placeholder.path());
                NativeArena arena = new NativeArena()) {
            long status = status(arena, parent, placeholder.path().name());
            return status != 0 && isPlaceholder(placeholder, identity, status);
        } catch (SyscallException | UnsafePathException gone) {
            return false;
        }
    }

    private boolean isPlaceholder(HostPlaceholder placeholder, String identity, long status) {
        int mode = NativeArena.getInt(status + Statx.STX_MODE) & 0xffff;
        boolean directory = placeholder.kind() == EntryKind.DIRECTORY;
        boolean right = (mode & Statx.S_IFMT) == (directory ? Statx.S_IFDIR : Statx.S_IFREG)
                && (directory || NativeArena.getLong(status + Statx.STX_SIZE) == 0);
        return right
                && (mode & (MARK | OTHERS_MAY_WRITE)) == MARK
                && NativeArena.getInt(status + Statx.STX_UID) == syscalls.raw().geteuid()
                && (identity.isEmpty() || identity(status).equals(identity));
    }

    /** What names the thing at a path for good: its device, inode and time of birth; empty when nothing is there. */
    String identity(AbsolutePath path) {
        try (FileDescriptor parent = parent(path);
                NativeArena arena = new NativeArena()) {
            long status = status(arena, parent, path.name());
            return status == 0 ? "" : identity(status);
        } catch (SyscallException e) {
            if (e.is(Errno.ENOENT) || e.is(Errno.ENOTDIR) || e.is(Errno.ELOOP)) {
                return "";
            }
            throw e;
        }
    }

    /** Removes it if it is still that one, and empty. */
    void remove(HostPlaceholder placeholder, String identity) {
        AbsolutePath path = placeholder.path();
        try (FileDescriptor parent = parent(path);
                NativeArena arena = new NativeArena()) {
            long status = status(arena, parent, path.name());
            if (status != 0 && isPlaceholder(placeholder, identity, status)) {
                // A directory that is not empty stays by itself: ENOTEMPTY.
                int flags = placeholder.kind() == EntryKind.DIRECTORY ? Fcntl.AT_REMOVEDIR : 0;
                syscalls.raw().unlinkat(parent.number(), arena.string(path.name()), flags);
            }
        } catch (SyscallException | UnsafePathException gone) {
            // The folder itself is no longer there, or has become a link: nothing of ours is left behind it.
            return;
        }
    }

    private static String identity(long status) {
        return NativeArena.getInt(status + Statx.STX_DEV) + ":"
                + NativeArena.getInt(status + Statx.STX_DEV + Integer.BYTES) + ":"
                + NativeArena.getInt(status + Statx.STX_INO + Integer.BYTES) + ":"
                + NativeArena.getInt(status + Statx.STX_INO) + ":"
                + NativeArena.getLong(status + Statx.STX_BTIME) + ":"
                + NativeArena.getInt(status + Statx.STX_BTIME + Statx.STX_NSEC);
    }

    private long status(NativeArena arena, FileDescriptor parent, String name) {
        long buffer = arena.allocate(Statx.SIZE);
        int mask = Statx.STATX_BASIC_STATS | Statx.STATX_BTIME;
        int result = syscalls.raw().statx(parent.number(), arena.string(name), Fcntl.AT_SYMLINK_NOFOLLOW, mask, buffer);
        if (result == -Errno.ENOENT.number()) {
            return 0;
        }
        LinuxSyscalls.check(result, "statx", name);
        return buffer;
    }

    private FileDescriptor parent(AbsolutePath path) {
        FileDescriptor current = syscalls.open("/", FOLDER);
        for (String name : path.parent().orElse(AbsolutePath.ROOT).components()) {
            try (FileDescriptor outer = current) {
                current = syscalls.openat(outer, name, FOLDER, 0);
            }
        }
        return current;
    }
}
