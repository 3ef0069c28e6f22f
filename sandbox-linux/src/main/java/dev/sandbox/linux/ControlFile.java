package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Statx;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads records that another process wrote: by descriptors, following no link, waiting for nothing, and only so much of them. What
 * stands there may be of another account, which root looks at.
 */
final class ControlFile {
    private static final int LARGEST = 4 << 20;
    private static final int CHUNK = 64 << 10;
    private static final int MOST_FILES = 10_000;

    private ControlFile() {}

    /** The names in a folder that belongs to this account; none when it is not there, or somebody else's. */
    static List<String> names(Path folder, int uid) {
        LinuxSyscalls syscalls = LinuxSyscalls.host();
        try (FileDescriptor open =
                syscalls.open(folder.toString(), Fcntl.O_RDONLY | Fcntl.O_DIRECTORY | Fcntl.O_NOFOLLOW)) {
            boolean own = syscalls.owner(open).uid() == Integer.toUnsignedLong(uid);
            return own ? DirectoryListing.names(syscalls.raw(), open.number(), MOST_FILES) : List.of();
        } catch (SyscallException missing) {
            return List.of();
        }
    }

    /** The whole lines of a regular file that belongs to this account; of one that is too large, those at its beginning. */
    static List<String> lines(Path folder, String name, int uid) {
        LinuxSyscalls syscalls = LinuxSyscalls.host();
        int flags = Fcntl.O_RDONLY | Fcntl.O_NOFOLLOW | Fcntl.O_NONBLOCK | Fcntl.O_NOCTTY;
        try (FileDescriptor parent =
                        syscalls.open(folder.toString(), Fcntl.O_PATH | Fcntl.O_DIRECTORY | Fcntl.O_NOFOLLOW);
                FileDescriptor file = syscalls.openat(parent, name, flags, 0)) {
            boolean usable =
                    syscalls.kind(file) == FileKind.FILE && syscalls.owner(file).uid() == Integer.toUnsignedLong(uid);
            return usable ? lines(syscalls.raw(), file) : List.of();
        } catch (SyscallException gone) {
            return List.of();
        }
    }

    private static List<String> lines(RawSyscalls raw, FileDescriptor file) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        byte[] bytes = new byte[CHUNK];
        try (NativeArena arena = new NativeArena()) {
            long buffer = arena.allocate(CHUNK);
            long length = raw.read(file.number(), buffer, CHUNK);
            while (length > 0 && whole.size() < LARGEST) {
                NativeArena.copy(buffer, bytes, 0, (int) length);
                whole.write(bytes, 0, (int) length);
                length = raw.read(file.number(), buffer, CHUNK);
            }
        }
        String text = whole.toString(StandardCharsets.ISO_8859_1);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    /** The account of a process here; -1 when it is gone. */
    static long accountOf(long pid) {
        try (NativeArena arena = new NativeArena()) {
            long buffer = arena.allocate(Statx.SIZE);
            int result = RawSyscalls.host()
                    .statx(Fcntl.AT_FDCWD, arena.string("/proc/" + pid), 0, Statx.STATX_BASIC_STATS, buffer);
            return result < 0 ? -1 : Integer.toUnsignedLong(NativeArena.getInt(buffer + Statx.STX_UID));
        }
    }
}
