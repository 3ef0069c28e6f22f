package dev.sandbox.linux;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.linux.uapi.Fcntl;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes directories and files in places where an earlier step may have left symbolic links: walks from the root by
 * descriptors and follows none, not even in the middle of a path.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/openat.2.html">openat(2)</a>
 */
public final class HostDirectories {
    /** Nobody else's business. */
    public static final int PRIVATE = 0700;

    private static final int DIRECTORY = Fcntl.O_PATH | Fcntl.O_DIRECTORY | Fcntl.O_NOFOLLOW;
    private static final int NEW_FILE = Fcntl.O_WRONLY | Fcntl.O_CREAT | Fcntl.O_EXCL | Fcntl.O_NOFOLLOW;
    private static final int FILE_MODE = 0600;

    private final LinuxSyscalls syscalls;
    private final Optional<Identity> owner;

    /** What it makes belongs to the caller. */
    public HostDirectories(LinuxSyscalls syscalls) {
        this(syscalls, Optional.empty());
    }

    private HostDirectories(LinuxSyscalls syscalls, Optional<Identity> owner) {
        this.syscalls = syscalls;
        this.owner = owner;
    }

    /** The same, but what it makes belongs to somebody else. */
    public HostDirectories ownedBy(Identity other) {
        return new HostDirectories(syscalls, Optional.of(other));
    }

    /** As {@link #create(AbsolutePath, int)}, for the owner alone. */
    public List<AbsolutePath> create(AbsolutePath directory) {
        return create(directory, PRIVATE);
    }

    /**
     * Makes the directory and its missing parents, all with this mode less the umask. Gives those that it made, outermost
     * first; one that somebody else makes at the same time is not among them.
     *
     * @throws UnsafePathException when a component is a symbolic link or not a directory
     * @throws SyscallException when the file system refuses
     */
    public List<AbsolutePath> create(AbsolutePath directory, int mode) {
        List<AbsolutePath> created = new ArrayList<>();
        walk(directory, mode, created).close();
        return List.copyOf(created);
    }

    /** What {@link #writeIfMissing} met. */
    public enum Written {
        CREATED,
        /** Something of that name was there, and was left as it is. */
        PRESENT
    }

    /**
     * Writes a new file into an existing directory; leaves alone whatever stands there under that name.
     *
     * @throws UnsafePathException when a component of the directory is a symbolic link or not a directory
     * @throws SyscallException when the file system refuses
     */
    public Written writeIfMissing(AbsolutePath directory, String name, byte[] content) {
        if (name.isEmpty() || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("\"" + name + "\" is not a file's name");
        }
        try (FileDescriptor parent = walk(directory);
                FileDescriptor file = syscalls.openat(parent, name, NEW_FILE, FILE_MODE)) {
            write(file, content);
            owner.ifPresent(other -> syscalls.giveTo(file, other));
            return Written.CREATED;
        } catch (SyscallException e) {
            if (e.call().equals("openat") && e.is(Errno.EEXIST)) {
                return Written.PRESENT;
            }
            throw e;
        }
    }

    private void write(FileDescriptor file, byte[] content) {
        try (NativeArena arena = new NativeArena()) {
            long address = arena.bytes(content);
            long written = 0;
            while (written < content.length) {
                long result = syscalls.raw().write(file.number(), address + written, content.length - written);
                if (result < 0) {
                    throw new SyscallException("write", "", (int) -result);
                }
                written += result;
            }
        }
    }

    private FileDescriptor walk(AbsolutePath directory) {
        FileDescriptor current = syscalls.open("/", DIRECTORY);
        AbsolutePath reached = AbsolutePath.ROOT;
        for (String name : directory.components()) {
            reached = reached.resolve(name);
            current = step(current, name, reached);
        }
        return current;
    }

    private FileDescriptor walk(AbsolutePath directory, int mode, List<AbsolutePath> created) {
        FileDescriptor current = syscalls.open("/", DIRECTORY);
        AbsolutePath reached = AbsolutePath.ROOT;
        for (String name : directory.components()) {
            reached = reached.resolve(name);
            boolean made = make(current, name, mode, reached, created);
            current = step(current, name, reached);
            if (made && owner.isPresent()) {
                give(current, owner.get(), reached);
            }
        }
        return current;
    }

    /**
     * Hands over a directory that was just made. A step that still runs may have moved another into its place, one that its owner can
     * move but not enter: so it must be the caller's own, and empty, as the one that was made is.
     */
    void give(FileDescriptor made, Identity other, AbsolutePath path) {
        try {
            if (!isFresh(made)) {
                throw new UnsafePathException(
                        path, new SyscallException("fchownat", path.toString(), Errno.EBUSY.number()));
            }
            syscalls.giveTo(made, other);
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
    }

    private boolean isFresh(FileDescriptor made) {
        return syscalls.owner(made).uid()
                        == Integer.toUnsignedLong(syscalls.raw().geteuid())
                && syscalls.isEmpty(made);
    }

    /** Closes the parent, whatever comes of it. */
    private FileDescriptor step(FileDescriptor parent, String name, AbsolutePath path) {
        try (parent) {
            return syscalls.openat(parent, name, DIRECTORY, 0);
        } catch (SyscallException e) {
            // ENOTDIR is also what O_PATH with O_DIRECTORY and O_NOFOLLOW gives for a symbolic link.
            if (e.is(Errno.ENOTDIR) || e.is(Errno.ELOOP)) {
                throw new UnsafePathException(path, e);
            }
            throw new SyscallException(e.call(), path.toString(), e.errno());
        }
    }

    private boolean make(FileDescriptor parent, String name, int mode, AbsolutePath path, List<AbsolutePath> created) {
        try {
            if (isAbsent(parent, name)) {
                syscalls.mkdirat(parent, name, mode);
                created.add(path);
                return true;
            }
        } catch (SyscallException e) {
            if (!e.is(Errno.EEXIST)) {
                parent.close();
                throw new SyscallException(e.call(), path.toString(), e.errno());
            }
        }
        return false;
    }

    /** Looked at first: mkdir on a read-only or foreign directory may refuse before it sees that the name exists. */
    private boolean isAbsent(FileDescriptor parent, String name) {
        try {
            syscalls.kindAt(parent, name);
            return false;
        } catch (SyscallException e) {
            return e.is(Errno.ENOENT);
        }
    }
}
