package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.linux.Errno;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.HostDirectories;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeArena;
import dev.sandbox.linux.SyscallException;
import dev.sandbox.linux.UnsafePathException;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Statx;

/** Makes and removes placeholders on the host. Follows no symbolic link on the way: a step could have left one. */
final class PlaceholderFiles {
    private static final int FOLDER = Fcntl.O_PATH | Fcntl.O_DIRECTORY | Fcntl.O_NOFOLLOW;
    private static final int FOLDER_MODE = 0755;

    private final LinuxSyscalls syscalls;

    PlaceholderFiles(LinuxSyscalls syscalls) {
        this.syscalls = syscalls;
    }

    /** Makes it; false when something of that name has come to stand there. */
    boolean create(HostPlaceholder placeholder) {
        HostDirectories directories = new HostDirectories(syscalls);
        if (placeholder.kind() == EntryKind.DIRECTORY) {
            return !directories.create(placeholder.path(), FOLDER_MODE).isEmpty();
        }
        AbsolutePath parent = placeholder.path().parent().orElse(AbsolutePath.ROOT);
        return directories.writeIfMissing(parent, placeholder.path().name(), new byte[0])
                == HostDirectories.Written.CREATED;
    }

    /** What names the thing at a path for good: its device and inode; empty when nothing is there. */
    String identity(AbsolutePath path) {
        try (FileDescriptor parent = parent(path);
                NativeArena arena = new NativeArena()) {
            long status = status(arena, parent, path.name());
            return status == 0 ? "" : identity(status);
        } catch (SyscallException | UnsafePathException gone) {
            return "";
        }
    }

    /** Removes it if it is still that one, and empty. */
    void remove(HostPlaceholder placeholder, String identity) {
        AbsolutePath path = placeholder.path();
        try (FileDescriptor parent = parent(path);
                NativeArena arena = new NativeArena()) {
            long status = status(arena, parent, path.name());
            boolean directory = placeholder.kind() == EntryKind.DIRECTORY;
            if (status == 0 || !(identity.isEmpty() || identity(status).equals(identity))) {
                return;
            }
            // A directory that is not empty stays by itself: ENOTEMPTY.
            boolean empty = directory
                    || (isFile(status)
                            && NativeArena.getInt(status + Statx.STX_SIZE) == 0
                            && NativeArena.getInt(status + Statx.STX_SIZE + Integer.BYTES) == 0);
            if (empty) {
                syscalls.raw().unlinkat(parent.number(), arena.string(path.name()), directory ? Fcntl.AT_REMOVEDIR : 0);
            }
        } catch (SyscallException | UnsafePathException gone) {
            // The folder itself is no longer there, or has become a link: nothing of ours is left behind it.
            return;
        }
    }

    private static boolean isFile(long status) {
        return (NativeArena.getInt(status + Statx.STX_MODE) & Statx.S_IFMT) == Statx.S_IFREG;
    }

    private static String identity(long status) {
        return NativeArena.getInt(status + Statx.STX_DEV) + ":"
                + NativeArena.getInt(status + Statx.STX_DEV + Integer.BYTES) + ":"
                + NativeArena.getInt(status + Statx.STX_INO + Integer.BYTES) + ":"
                + NativeArena.getInt(status + Statx.STX_INO);
    }

    private long status(NativeArena arena, FileDescriptor parent, String name) {
        long buffer = arena.allocate(Statx.SIZE);
        int mask = Statx.STATX_TYPE | Statx.STATX_INO | Statx.STATX_SIZE;
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
