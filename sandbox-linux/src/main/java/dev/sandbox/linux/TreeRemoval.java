package dev.sandbox.linux;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.linux.uapi.Dirent;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Statx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Removes a tree that a step filled, and may still fill. It may be deeper than a path is long or than there are descriptors: so one
 * descriptor walks down and up again, and no method calls itself. No link is followed. On the way up it is checked that {@code ..}
 * is the folder that was left, for a folder that was moved meanwhile has another above it. Where a file system is mounted in the tree
 * the removal ends with an error. Names are bytes, as the kernel has them.
 * One use.
 */
final class TreeRemoval {
    private static final int FOLDER = Fcntl.O_RDONLY | Fcntl.O_DIRECTORY | Fcntl.O_NOFOLLOW | Fcntl.O_CLOEXEC;
    private static final int NAMED = Fcntl.O_PATH | Fcntl.O_DIRECTORY | Fcntl.O_NOFOLLOW | Fcntl.O_CLOEXEC;
    private static final int LISTING_SIZE = 32 * 1024;
    private static final int OWNER_ONLY = 0700;
    /** What a process that still ends swaps or fills meanwhile is tried again; the whole tree has one stock of tries. */
    private static final int MOST_TRIES = 1000;

    private final RawSyscalls raw;
    private final LinuxSyscalls syscalls;
    private final Deque<Folder> above = new ArrayDeque<>();
    private int tries = MOST_TRIES;
    private int current;

    /** One on the way: its name in the folder above, and what names that folder for good. */
    private static final class Folder {
        private final byte[] name;
        private final FileStatus.Identity parent;

        Folder(byte[] name, FileStatus.Identity parent) {
            this.name = name.clone();
            this.parent = parent;
        }
    }

    TreeRemoval(LinuxSyscalls syscalls) {
        this.syscalls = syscalls;
        this.raw = syscalls.raw();
    }

    /**
     * Removes it; nothing when it is not there.
     *
     * @throws SyscallException when something cannot be removed, or others keep filling it
     */
    void remove(AbsolutePath tree) {
        remove(tree, Optional.empty());
    }

    /**
     * Removes it, if it is a folder and this one; nothing when another has come to stand there.
     *
     * @throws SyscallException when something cannot be removed, or others keep filling it
     */
    void remove(AbsolutePath tree, FileStatus.Identity expected) {
        remove(tree, Optional.of(expected));
    }

    private void remove(AbsolutePath tree, Optional<FileStatus.Identity> expected) {
        AbsolutePath parent = tree.parent().orElseThrow(() -> new IllegalArgumentException("the root stays"));
        try (NativeArena arena = new NativeArena();
                FileDescriptor start = syscalls.openCanonical(parent.toString())) {
            current = opened(raw.openat(start.number(), arena.string("."), FOLDER, 0), "openat");
            try {
                byte[] name = bytes(arena.string(tree.name()));
                if (expected.isEmpty()) {
                    removeEntry(name);
                } else {
                    enterExpected(name, expected.get());
                }
                while (!above.isEmpty()) {
                    if (!removeContent()) {
                        leave();
                    }
                }
            } finally {
                raw.close(current);
            }
        } catch (SyscallException e) {
            if (!e.is(Errno.ENOENT)) {
                throw e;
            }
        }
    }

    private void enterExpected(byte[] name, FileStatus.Identity expected) {
        try (NativeArena arena = new NativeArena()) {
            enter(name, arena.bytes(name), arena);
            if (!above.isEmpty() && !status(current, arena).identity().equals(expected)) {
                above.clear();
            }
        }
    }

    /** Removes what is no folder, and enters the first folder; false when nothing is left. */
    private boolean removeContent() {
        try (NativeArena arena = new NativeArena()) {
            int listed = opened(raw.openat(current, arena.string("."), FOLDER, 0), "openat");
            int depth = above.size();
            try {
                for (byte[] name : names(listed, arena)) {
                    removeEntry(name);
                    if (above.size() > depth) {
                        return true;
                    }
                }
                return !names(listed, arena).isEmpty();
            } finally {
                raw.close(listed);
            }
        }
    }

    /** One listing's worth. */
    private List<byte[]> names(int listed, NativeArena arena) {
        long listing = arena.allocate(LISTING_SIZE);
        int length = LinuxSyscalls.check(raw.getdents64(listed, listing, LISTING_SIZE), "getdents64", "");
        List<byte[]> names = new ArrayList<>();
        for (int at = 0; at < length; at += NativeRuntime.MEMORY.getShort(listing + at + Dirent.D_RECLEN) & 0xffff) {
            byte[] name = bytes(listing + at + Dirent.D_NAME);
            boolean dots = name[0] == '.' && (name.length == 2 || (name[1] == '.' && name.length == 3));
            if (!dots) {
                names.add(name);
            }
        }
        return names;
    }

    /** A file goes; a folder is entered. */
    private void removeEntry(byte[] name) {
        try (NativeArena arena = new NativeArena()) {
            long address = arena.bytes(name);
            int result = raw.unlinkat(current, address, 0);
            if (result == -Errno.EACCES.number() && madeAccessible(current, arena)) {
                result = raw.unlinkat(current, address, 0);
            }
            if (result == -Errno.EISDIR.number() || result == -Errno.EPERM.number()) {
                enter(name, address, arena);
            } else if (result != -Errno.ENOENT.number()) {
                LinuxSyscalls.check(result, "unlinkat", "");
            }
        }
    }

    private void enter(byte[] name, long address, NativeArena arena) {
        int inner = raw.openat(current, address, FOLDER, 0);
        if (inner == -Errno.EACCES.number()) {
            int named = raw.openat(current, address, NAMED, 0);
            if (named >= 0) {
                boolean unused = madeAccessible(named, arena);
                raw.close(named);
            }
            inner = raw.openat(current, address, FOLDER, 0);
        }
        if (inner == -Errno.ENOENT.number() || inner == -Errno.ENOTDIR.number() || inner == -Errno.ELOOP.number()) {
            spend("openat", -inner); // replaced meanwhile: the next listing shows by what
            return;
        }
        opened(inner, "openat");
        FileStatus outer = status(current, arena);
        if (status(inner, arena).mountId() != outer.mountId()) {
            raw.close(inner);
            throw new SyscallException(
                    "openat", "a file system is mounted in it, which is somebody else's", Errno.EBUSY.number());
        }
        above.push(new Folder(name, outer.identity()));
        raw.close(current);
        current = inner;
    }

    /** Back to the folder above, and the one that was left goes. */
    private void leave() {
        try (NativeArena arena = new NativeArena()) {
            Folder left = above.pop();
            int outer = opened(raw.openat(current, arena.string(".."), FOLDER, 0), "openat");
            raw.close(current);
            current = outer;
            if (!status(outer, arena).identity().equals(left.parent)) {
                throw new SyscallException("openat", "..: the folder was moved meanwhile", Errno.EBUSY.number());
            }
            long address = arena.bytes(left.name);
            int result = raw.unlinkat(current, address, Fcntl.AT_REMOVEDIR);
            if (result == -Errno.EACCES.number() && madeAccessible(current, arena)) {
                result = raw.unlinkat(current, address, Fcntl.AT_REMOVEDIR);
            }
            if (result == -Errno.ENOTEMPTY.number() || result == -Errno.ENOTDIR.number()) {
                spend("unlinkat", -result);
                if (above.isEmpty()) {
                    removeEntry(left.name); // the tree itself: no listing would show it again
                }
            } else if (result != -Errno.ENOENT.number()) {
                LinuxSyscalls.check(result, "unlinkat", "");
            }
        }
    }

    private void spend(String call, int errno) {
        if (--tries <= 0) {
            throw new SyscallException(call, "others keep changing the folder", errno);
        }
    }

    /** A step may have taken its own account's rights away; by descriptor, since a name may lead elsewhere by now. */
    private boolean madeAccessible(int folder, NativeArena arena) {
        return raw.fchmodat(Fcntl.AT_FDCWD, arena.string("/proc/self/fd/" + folder), OWNER_ONLY) >= 0;
    }

    private FileStatus status(int folder, NativeArena arena) {
        long buffer = arena.allocate(Statx.SIZE);
        int result = raw.statx(folder, arena.string(""), Fcntl.AT_EMPTY_PATH, FileStatus.MASK, buffer);
        LinuxSyscalls.check(result, "statx", "");
        return FileStatus.read(buffer);
    }

    private static int opened(int fd, String call) {
        return LinuxSyscalls.check(fd, call, "");
    }

    /** With its final NUL. */
    private static byte[] bytes(long address) {
        int length = 0;
        while (NativeRuntime.MEMORY.getByte(address + length) != 0) {
            length++;
        }
        byte[] bytes = new byte[length + 1];
        NativeArena.copy(address, bytes, 0, length + 1);
        return bytes;
    }
}
