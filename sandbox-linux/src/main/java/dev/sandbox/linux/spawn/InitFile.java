package dev.sandbox.linux.spawn;

import dev.sandbox.linux.Errno;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.SyscallException;
import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Memfd;
import org.jspecify.annotations.Nullable;

/**
 * {@link InitImage} as a file without a name, for execveat(AT_EMPTY_PATH). Nobody can change it: it is sealed, and what is kept of it is
 * an O_PATH descriptor, by which nothing is read or written. Its mode is 0111, so a process that runs it and may not read it is
 * undumpable: no step opens its memory or traces it.
 *
 * <p>Thread-safe. One is enough for a JVM: {@link #ofThisJvm()}.
 */
public final class InitFile {
    private static final InitFile HOST = new InitFile(LinuxSyscalls.host());
    private static final String NAME = "sandbox-init";
    private static final int EXECUTE_ONLY = 0111;
    private static final int SEALS = Fcntl.F_SEAL_SEAL | Fcntl.F_SEAL_SHRINK | Fcntl.F_SEAL_GROW | Fcntl.F_SEAL_WRITE;

    private final LinuxSyscalls syscalls;
    private @Nullable FileDescriptor file;

    InitFile(LinuxSyscalls syscalls) {
        this.syscalls = syscalls;
    }

    /** The one that all spawns of this JVM share; it is made at first use and stays open. */
    public static InitFile ofThisJvm() {
        return HOST;
    }

    /**
     * Its descriptor, O_PATH and O_CLOEXEC; not to be closed.
     *
     * @throws InitUnavailableException when this host lets nobody run such a file; asked again, it tries again
     */
    public synchronized FileDescriptor descriptor() {
        if (file == null) {
            try {
                file = make();
            } catch (SyscallException e) {
                throw new InitUnavailableException(e);
            }
        }
        return file;
    }

    private FileDescriptor make() {
        try (FileDescriptor writable = executable()) {
            syscalls.write(writable, InitImage.of(Architecture.host()));
            syscalls.fchmod(writable, EXECUTE_ONLY);
            syscalls.addSeals(writable, SEALS);
            return syscalls.openPath("/proc/self/fd/" + writable.number());
        }
    }

    private FileDescriptor executable() {
        int flags = Memfd.MFD_CLOEXEC | Memfd.MFD_ALLOW_SEALING;
        try {
            return syscalls.memfdCreate(NAME, flags | Memfd.MFD_EXEC);
        } catch (SyscallException e) {
            if (!e.is(Errno.EINVAL)) {
                throw e;
            }
            // Before Linux 6.3 there is no such flag, and every memfd may be executed.
            return syscalls.memfdCreate(NAME, flags);
        }
    }
}
