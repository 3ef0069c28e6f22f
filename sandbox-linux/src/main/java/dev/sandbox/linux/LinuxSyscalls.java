package dev.sandbox.linux;

import dev.sandbox.domain.path.Identity;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Net;
import dev.sandbox.linux.uapi.OpenHow;
import dev.sandbox.linux.uapi.Statx;
import dev.sandbox.linux.uapi.Tty;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Checked system calls: each throws {@link SyscallException} where {@link RawSyscalls} gives a negative errno, and gives
 * descriptors as objects. Not final, so that a test can put a fake in its place.
 *
 * @see <a href="https://man7.org/linux/man-pages/dir_section_2.html">man pages, section 2</a>
 */
public class LinuxSyscalls {
    /** Above the standard streams: a JVM started with one of them closed would otherwise get a pipe there, and lose it to dup2. */
    private static final int FIRST_ORDINARY_FD = 3;

    /** A connection is made when it stands in this queue, accepted or not. */
    private static final int BACKLOG = 8;

    private final RawSyscalls raw;

    public LinuxSyscalls(RawSyscalls raw) {
        this.raw = raw;
    }

    /** This machine's. */
    public static LinuxSyscalls host() {
        return new LinuxSyscalls(RawSyscalls.host());
    }

    /** The same calls unchecked. */
    public RawSyscalls raw() {
        return raw;
    }

    /** The result of a raw call, or the exception that its negative errno means. */
    public static int check(int result, String call, String arguments) {
        if (result < 0) {
            throw new SyscallException(call, arguments, -result);
        }
        return result;
    }

    public FileDescriptor landlockCreateRuleset(long attributes, long size) {
        int fd = check(raw.landlockCreateRuleset(attributes, size, 0), "landlock_create_ruleset", "size=" + size);
        return new FileDescriptor(fd, raw);
    }

    public void landlockAddRule(FileDescriptor ruleset, int type, long attributes, String what) {
        check(raw.landlockAddRule(ruleset.number(), type, attributes, 0), "landlock_add_rule", what);
    }

    /** Opens for reading, writing, or as O_PATH; the flags of {@link Fcntl}, to which O_CLOEXEC is added. */
    public FileDescriptor open(String path, int flags) {
        try (NativeArena arena = new NativeArena()) {
            return opened(raw.openat(Fcntl.AT_FDCWD, arena.string(path), flags | Fcntl.O_CLOEXEC, 0), "open", path);
        }
    }

    /**
     * A descriptor that only names the file behind a path in which no component is a symbolic link; ELOOP when one is. Linux 5.6.
     *
     * @see <a href="https://man7.org/linux/man-pages/man2/openat2.2.html">openat2(2), RESOLVE_NO_SYMLINKS</a>
     */
    public FileDescriptor openCanonical(String path) {
        return opened(new CanonicalOpen(raw).open(path, Fcntl.O_PATH), "openat2", path);
    }

    /**
     * A descriptor that only names the file behind a path below an open directory; the path is resolved as {@code resolve} says
     * ({@link OpenHow}), and never through a magic link.
     */
    public FileDescriptor openBelow(FileDescriptor directory, String path, int resolve) {
        return openat2(directory.number(), path, resolve);
    }

    private FileDescriptor openat2(int directory, String path, int resolve) {
        try (NativeArena arena = new NativeArena()) {
            long how = arena.allocate(OpenHow.SIZE);
            NativeArena.putLong(how + OpenHow.FLAGS, Fcntl.O_PATH | Fcntl.O_CLOEXEC);
            NativeArena.putLong(how + OpenHow.RESOLVE, OpenHow.RESOLVE_NO_MAGICLINKS | resolve);
            return opened(raw.openat2(directory, arena.string(path), how, OpenHow.SIZE), "openat2", path);
        }
    }

    /** Which file an open descriptor stands for, and how it is mounted. */
    public FileStatus status(FileDescriptor fd) {
        try (NativeArena arena = new NativeArena()) {
            long buffer = arena.allocate(Statx.SIZE);
            int result = raw.statx(fd.number(), arena.string(""), Fcntl.AT_EMPTY_PATH, FileStatus.MASK, buffer);
            check(result, "statx", "");
            return FileStatus.read(buffer);
        }
    }

    /** A descriptor that only names the file: it follows symbolic links, and reads and runs nothing. */
    public FileDescriptor openPath(String path) {
        return open(path, Fcntl.O_PATH);
    }

    public FileDescriptor openat(FileDescriptor directory, String name, int flags, int mode) {
        try (NativeArena arena = new NativeArena()) {
            int fd = raw.openat(directory.number(), arena.string(name), flags | Fcntl.O_CLOEXEC, mode);
            return opened(fd, "openat", name);
        }
    }

    public void mkdirat(FileDescriptor directory, String name, int mode) {
        try (NativeArena arena = new NativeArena()) {
            check(raw.mkdirat(directory.number(), arena.string(name), mode), "mkdirat", name);
        }
    }

    /** What an open descriptor stands for. */
    public FileKind kind(FileDescriptor fd) {
        return kindAt(fd, "", Fcntl.AT_EMPTY_PATH);
    }

    /**
     * What the kernel knows a file by.
     *
     * @param inode its number
     * @param device its device's major and minor number, as they lie in {@code struct statx}
     */
    public record FileNumber(long inode, long device) {}

    /** By what number an open descriptor's file is known; nobody else's as long as it is open. */
    public FileNumber number(FileDescriptor fd) {
        try (NativeArena arena = new NativeArena()) {
            long buffer = arena.allocate(Statx.SIZE);
            check(raw.statx(fd.number(), arena.string(""), Fcntl.AT_EMPTY_PATH, Statx.STATX_INO, buffer), "statx", "");
            return new FileNumber(
                    NativeArena.getLong(buffer + Statx.STX_INO), NativeArena.getLong(buffer + Statx.STX_DEV));
        }
    }

    /** What stands under that name in the directory; a symbolic link is not followed. */
    public FileKind kindAt(FileDescriptor directory, String name) {
        return kindAt(directory, name, Fcntl.AT_SYMLINK_NOFOLLOW);
    }

    private FileKind kindAt(FileDescriptor directory, String name, int flags) {
        try (NativeArena arena = new NativeArena()) {
            long buffer = arena.allocate(Statx.SIZE);
            int mask = Statx.STATX_TYPE | Statx.STATX_MODE;
            check(raw.statx(directory.number(), arena.string(name), flags, mask, buffer), "statx", name);
            return FileKind.ofMode(NativeRuntime.MEMORY.getShort(buffer + Statx.STX_MODE));
        }
    }

    /** Makes what an open descriptor stands for belong to somebody; no path is looked at. */
    void giveTo(FileDescriptor fd, Identity owner) {
        try (NativeArena arena = new NativeArena()) {
            int result = raw.fchownat(
                    fd.number(), arena.string(""), (int) owner.uid(), (int) owner.gid(), Fcntl.AT_EMPTY_PATH);
            check(result, "fchownat", owner.toString());
        }
    }

    /** To whom what an open descriptor stands for belongs. */
    Identity owner(FileDescriptor fd) {
        try (NativeArena arena = new NativeArena()) {
            long buffer = arena.allocate(Statx.SIZE);
            check(
                    raw.statx(fd.number(), arena.string(""), Fcntl.AT_EMPTY_PATH, Statx.STATX_BASIC_STATS, buffer),
                    "statx",
                    "");
            return new Identity(
                    Integer.toUnsignedLong(NativeArena.getInt(buffer + Statx.STX_UID)),
                    Integer.toUnsignedLong(NativeArena.getInt(buffer + Statx.STX_GID)));
        }
    }

    /** Whether an open directory holds nothing. */
    public boolean isEmpty(FileDescriptor directory) {
        try (FileDescriptor listed = openat(directory, ".", Fcntl.O_RDONLY | Fcntl.O_DIRECTORY, 0)) {
            return DirectoryListing.names(raw, listed.number(), 1).isEmpty();
        }
    }

    /** Both ends of a new pipe. */
    public Pipe pipe() {
        try (NativeArena arena = new NativeArena()) {
            long fds = arena.allocate(2L * Integer.BYTES);
            check(raw.pipe2(fds, Fcntl.O_CLOEXEC), "pipe2", "");
            int read = NativeArena.getInt(fds);
            int write = NativeArena.getInt(fds + Integer.BYTES);
            FileDescriptor readEnd = opened(read, "pipe2", "read end");
            return new Pipe(readEnd, opened(write, "pipe2", "write end"));
        }
    }

    /**
     * The two ends of a pipe.
     *
     * @param readEnd where bytes come out
     * @param writeEnd where they go in
     */
    public record Pipe(FileDescriptor readEnd, FileDescriptor writeEnd) {}

    /**
     * A listening stream socket under a name of the abstract namespace, which no file stands for.
     *
     * @see <a href="https://man7.org/linux/man-pages/man7/unix.7.html">unix(7)</a>
     */
    public FileDescriptor listenAbstract(String name) {
        byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer address = ByteBuffer.allocate(Short.BYTES + 1 + ascii.length).order(ByteOrder.LITTLE_ENDIAN);
        address.putShort((short) Net.AF_UNIX).put((byte) 0).put(ascii);
        FileDescriptor socket =
                opened(raw.socket(Net.AF_UNIX, Net.SOCK_STREAM | Net.SOCK_CLOEXEC, 0), "socket", "AF_UNIX");
        try (NativeArena arena = new NativeArena()) {
            check(raw.bind(socket.number(), arena.bytes(address.array()), address.capacity()), "bind", "@" + name);
            check(raw.listen(socket.number(), BACKLOG), "listen", "@" + name);
            return socket;
        } catch (RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    /** The next exec of this process hands the descriptor on: for those who test that it does not. */
    public void clearCloseOnExec(FileDescriptor fd) {
        check(raw.fcntl(fd.number(), Fcntl.F_SETFD, 0), "fcntl", "F_SETFD");
    }

    /** The most that this process may have of a resource; negative when there is no bound. */
    public long hardLimit(int resource) {
        try (NativeArena arena = new NativeArena()) {
            long limit = arena.allocate(2L * Long.BYTES);
            check(raw.getrlimit(resource, limit), "prlimit64", "resource=" + resource);
            return NativeArena.getLong(limit + Long.BYTES);
        }
    }

    /** A counter to wake a poll(2) with. */
    public FileDescriptor eventfd() {
        return opened(raw.eventfd(0, Fcntl.O_CLOEXEC | Fcntl.O_NONBLOCK), "eventfd", "");
    }

    /** An empty file in memory, for which no path exists; always O_CLOEXEC by the caller's flags. */
    public FileDescriptor memfdCreate(String name, int flags) {
        try (NativeArena arena = new NativeArena()) {
            return opened(raw.memfdCreate(arena.string(name), flags), "memfd_create", name);
        }
    }

    /** Writes all of these bytes. */
    public void write(FileDescriptor fd, byte[] bytes) {
        try (NativeArena arena = new NativeArena()) {
            long address = arena.bytes(bytes);
            long done = 0;
            while (done < bytes.length) {
                long written = raw.write(fd.number(), address + done, bytes.length - done);
                done += check((int) written, "write", fd.toString());
            }
        }
    }

    public void fchmod(FileDescriptor fd, int mode) {
        check(raw.fchmod(fd.number(), mode), "fchmod", Integer.toOctalString(mode));
    }

    public void addSeals(FileDescriptor fd, int seals) {
        check(raw.fcntl(fd.number(), Fcntl.F_ADD_SEALS, seals), "fcntl", "F_ADD_SEALS");
    }

    /** Reads and writes on this descriptor give EAGAIN instead of waiting; the other end of a pipe is not concerned. */
    public void setNonBlocking(FileDescriptor fd) {
        int flags = check(raw.fcntl(fd.number(), Fcntl.F_GETFL, 0), "fcntl", "F_GETFL");
        check(raw.fcntl(fd.number(), Fcntl.F_SETFL, flags | Fcntl.O_NONBLOCK), "fcntl", "F_SETFL");
    }

    /** A descriptor for a process: it becomes readable when that has ended, and never means another. Linux 5.3. */
    public FileDescriptor pidfdOpen(int pid) {
        return opened(raw.pidfdOpen(pid, 0), "pidfd_open", "pid=" + pid);
    }

    /** The side of a pseudo-terminal that a program gets, from the other; without a look at the file system. */
    FileDescriptor otherSide(FileDescriptor terminal) {
        int flags = Fcntl.O_RDWR | Fcntl.O_NOCTTY | Fcntl.O_CLOEXEC;
        return opened(raw.ioctl(terminal.number(), Tty.TIOCGPTPEER, flags), "ioctl", "TIOCGPTPEER");
    }

    /** What a raw call has opened. */
    public FileDescriptor adopt(int fd) {
        return opened(fd, "open", "");
    }

    /** Another number for the same open file. */
    public FileDescriptor duplicate(FileDescriptor fd) {
        return opened(raw.fcntl(fd.number(), Fcntl.F_DUPFD_CLOEXEC, FIRST_ORDINARY_FD), "fcntl", "F_DUPFD_CLOEXEC");
    }

    private FileDescriptor opened(int result, String call, String arguments) {
        int fd = check(result, call, arguments);
        if (fd >= FIRST_ORDINARY_FD) {
            return new FileDescriptor(fd, raw);
        }
        int moved = raw.fcntl(fd, Fcntl.F_DUPFD_CLOEXEC, FIRST_ORDINARY_FD);
        raw.close(fd);
        return new FileDescriptor(check(moved, "fcntl", "F_DUPFD_CLOEXEC"), raw);
    }
}
