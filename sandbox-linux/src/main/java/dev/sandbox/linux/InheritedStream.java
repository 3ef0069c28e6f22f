package dev.sandbox.linux;

import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Statx;
import dev.sandbox.linux.uapi.Tty;
import java.util.Arrays;

/**
 * How a step gets one of the JVM's own standard streams. A descriptor is a way past every policy: of a file, through {@code
 * /proc/self/fd}, it gives the right to write and to chmod, of a folder all of the host ({@code fd/0/../..}), whatever it was opened
 * for. So only what stands for no file of the host is shared: an anonymous pipe, a socket, a terminal. Bytes of everything else are
 * copied through a pipe.
 */
public enum InheritedStream {
    /** The descriptor itself. */
    SHARED,
    /** Its bytes, through a pipe. */
    COPIED,
    /** As {@link #COPIED}; the file has a position, which is left where the step has read to. */
    COPIED_FROM_FILE,
    /** The null device, opened anew: it is that, or closed, or not open for this direction. */
    NONE;

    private static final String[] NAMES = {"standard input", "standard output", "standard error"};
    private static final int ACCESS_MODE = 3;

    /**
     * Looks at one of the JVM's descriptors 0 to 2.
     *
     * @throws SandboxUnavailableException when it is a folder
     */
    public static InheritedStream of(int fd, LinuxSyscalls syscalls) {
        int flags = syscalls.raw().fcntl(fd, Fcntl.F_GETFL, 0);
        if (flags < 0) {
            return NONE;
        }
        try (NativeArena arena = new NativeArena()) {
            long status = arena.allocate(Statx.SIZE);
            look(fd, syscalls, arena, status);
            int type = NativeRuntime.MEMORY.getShort(status + Statx.STX_MODE) & Statx.S_IFMT;
            if (type == Statx.S_IFDIR) {
                throw new SandboxUnavailableException(
                        NAMES[fd], "is a folder, which would hand over all that lies around it", "redirect it");
            }
            boolean usable = (flags & Fcntl.O_PATH) == 0 && isFor(fd, flags & ACCESS_MODE);
            return usable ? of(fd, type, status, syscalls) : NONE;
        }
    }

    private static boolean isFor(int fd, int access) {
        return access == Fcntl.O_RDWR || access == (fd == 0 ? Fcntl.O_RDONLY : Fcntl.O_WRONLY);
    }

    private static InheritedStream of(int fd, int type, long status, LinuxSyscalls syscalls) {
        return switch (type) {
            case Statx.S_IFSOCK -> SHARED;
            case Statx.S_IFIFO -> isAnonymousPipe(status, syscalls) ? SHARED : COPIED;
            case Statx.S_IFREG -> COPIED_FROM_FILE;
            case Statx.S_IFCHR -> isNullDevice(status) ? NONE : isTerminal(fd, syscalls) ? SHARED : COPIED;
            default -> COPIED;
        };
    }

    /** A FIFO with a name is a file of the host, with a mode and an owner; pipes without one lie in a file system of their own. */
    private static boolean isAnonymousPipe(long status, LinuxSyscalls syscalls) {
        LinuxSyscalls.Pipe pipe = syscalls.pipe();
        try (NativeArena arena = new NativeArena();
                FileDescriptor readEnd = pipe.readEnd();
                FileDescriptor writeEnd = pipe.writeEnd()) {
            long known = arena.allocate(Statx.SIZE);
            look(readEnd.number(), syscalls, arena, known);
            return writeEnd.isOpen() && Arrays.equals(device(known), device(status));
        }
    }

    private static int[] device(long status) {
        return new int[] {
            NativeArena.getInt(status + Statx.STX_DEV), NativeArena.getInt(status + Statx.STX_DEV + Integer.BYTES)
        };
    }

    private static boolean isNullDevice(long status) {
        return NativeArena.getInt(status + Statx.STX_RDEV) == Statx.NULL_DEVICE_MAJOR
                && NativeArena.getInt(status + Statx.STX_RDEV + Integer.BYTES) == Statx.NULL_DEVICE_MINOR;
    }

    private static boolean isTerminal(int fd, LinuxSyscalls syscalls) {
        try (NativeArena arena = new NativeArena()) {
            return syscalls.raw().ioctl(fd, Tty.TCGETS, arena.allocate(Tty.TERMIOS_SIZE)) == 0;
        }
    }

    private static void look(int fd, LinuxSyscalls syscalls, NativeArena arena, long status) {
        int mask = Statx.STATX_BASIC_STATS;
        int result = syscalls.raw().statx(fd, arena.string(""), Fcntl.AT_EMPTY_PATH, mask, status);
        LinuxSyscalls.check(result, "statx", NAMES[Math.min(fd, 2)]);
    }
}
