package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Dirent;
import dev.sandbox.linux.uapi.Fcntl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntPredicate;

/**
 * Reads /proc by raw calls: one directory listing and one small read per process. Built for one sweep, not thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc.5.html">proc(5)</a>
 */
final class ProcessTable implements AutoCloseable {
    private static final int LISTING_SIZE = 32 * 1024;
    private static final int READ_SIZE = 16 * 1024;
    private static final int STAT_SIZE = 1024;
    /** execve(2) refuses a larger environment at the default stack limit. */
    private static final int LARGEST_ENVIRONMENT = 8 * 1024 * 1024;

    private static final int NAME_SIZE = 64;

    private final RawSyscalls syscalls = RawSyscalls.host();
    private final NativeArena arena = new NativeArena();
    private final long listing = arena.allocate(LISTING_SIZE);
    private final long content = arena.allocate(READ_SIZE);
    private final long name = arena.allocate(NAME_SIZE);
    private final byte[] bytes = new byte[LISTING_SIZE];
    private final FileDescriptor proc;
    private boolean vanished;

    ProcessTable() {
        proc = LinuxSyscalls.host().open("/proc", Fcntl.O_RDONLY | Fcntl.O_DIRECTORY);
    }

    /** All processes that this one sees. */
    List<ProcessEntry> entries() {
        return entries(pid -> true);
    }

    /** Those of them whose number is wanted. */
    List<ProcessEntry> entries(IntPredicate wanted) {
        vanished = false;
        List<ProcessEntry> result = new ArrayList<>();
        for (int pid : pids()) {
            if (!wanted.test(pid)) {
                continue;
            }
            Optional<ProcessEntry> entry = entry(pid);
            entry.ifPresent(result::add);
            vanished |= entry.isEmpty();
        }
        return result;
    }

    /** Whether a process went away during the last listing: it may have left a child that the listing does not hold. */
    boolean sawOneVanish() {
        return vanished;
    }

    /** A process now; absent when it is gone. */
    Optional<ProcessEntry> entry(int pid) {
        int fd = open(pid, "/stat");
        if (fd < 0) {
            return Optional.empty();
        }
        long length = syscalls.read(fd, content, STAT_SIZE);
        syscalls.close(fd);
        if (length <= 0) {
            return Optional.empty();
        }
        NativeArena.copy(content, bytes, 0, (int) length);
        return ProcessEntry.parse(pid, bytes, (int) length);
    }

    /** The numbers of a process's children; empty when it is gone, or where the kernel does not tell. */
    static String children(int pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/task/" + pid + "/children"), StandardCharsets.US_ASCII);
        } catch (IOException gone) {
            return "";
        }
    }

    /** The process's environment as it was at its exec; empty when it is not ours to read, or has none. */
    String environment(int pid) {
        int fd = open(pid, "/environ");
        if (fd < 0) {
            return "";
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        long length = syscalls.read(fd, content, READ_SIZE);
        while (length > 0 && whole.size() < LARGEST_ENVIRONMENT) {
            NativeArena.copy(content, bytes, 0, (int) length);
            whole.write(bytes, 0, (int) length);
            length = syscalls.read(fd, content, READ_SIZE);
        }
        syscalls.close(fd);
        return whole.toString(StandardCharsets.ISO_8859_1);
    }

    /** What the process has in memory; 0 when it is gone. */
    long residentBytes(int pid) {
        return kilobytes(pid, "/status", "\nVmRSS:").orElse(0) * 1024;
    }

    /** The same with shared pages divided among those who share them; the resident size where the kernel does not tell. */
    long proportionalBytes(int pid) {
        OptionalLong proportional = kilobytes(pid, "/smaps_rollup", "\nPss:");
        return proportional.isPresent() ? proportional.getAsLong() * 1024 : residentBytes(pid);
    }

    private OptionalLong kilobytes(int pid, String file, String key) {
        int fd = open(pid, file);
        if (fd < 0) {
            return OptionalLong.empty();
        }
        long length = syscalls.read(fd, content, READ_SIZE);
        syscalls.close(fd);
        if (length <= 0) {
            return OptionalLong.empty();
        }
        NativeArena.copy(content, bytes, 0, (int) length);
        String text = new String(bytes, 0, (int) length, StandardCharsets.ISO_8859_1);
        int at = text.indexOf(key);
        if (at < 0) {
            return OptionalLong.empty();
        }
        String value =
                text.substring(at + key.length(), text.indexOf(" kB", at)).trim();
        return OptionalLong.of(Long.parseLong(value));
    }

    private int open(int pid, String file) {
        byte[] path = (pid + file + "\0").getBytes(StandardCharsets.US_ASCII);
        NativeRuntime.MEMORY.putByteArray(name, path, 0, path.length);
        return syscalls.openat(proc.number(), name, Fcntl.O_RDONLY | Fcntl.O_CLOEXEC, 0);
    }

    private List<Integer> pids() {
        List<Integer> result = new ArrayList<>();
        try (FileDescriptor directory = LinuxSyscalls.host().openat(proc, ".", Fcntl.O_RDONLY | Fcntl.O_DIRECTORY, 0)) {
            int length = syscalls.getdents64(directory.number(), listing, LISTING_SIZE);
            while (length > 0) {
                NativeArena.copy(listing, bytes, 0, length);
                for (int at = 0; at < length; at += recordLength(at)) {
                    int pid = number(at + Dirent.D_NAME);
                    if (pid > 0) {
                        result.add(pid);
                    }
                }
                length = syscalls.getdents64(directory.number(), listing, LISTING_SIZE);
            }
            LinuxSyscalls.check(length, "getdents64", "/proc");
        }
        return result;
    }

    private int recordLength(int at) {
        return (bytes[at + Dirent.D_RECLEN] & 0xff) | (bytes[at + Dirent.D_RECLEN + 1] & 0xff) << 8;
    }

    /** The decimal number that the name is, or -1. */
    private int number(int at) {
        int value = 0;
        for (int i = at; bytes[i] != 0; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                return -1;
            }
            value = value * 10 + bytes[i] - '0';
        }
        return value;
    }

    @Override
    public void close() {
        proc.close();
        arena.close();
    }
}
