package dev.sandbox.linux;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.FileDetails;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.path.Ownership;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Statx;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** This host's, by raw calls; in what is opened, no component of the path may be a symbolic link. Thread-safe. */
final class HostFileDetails implements FileDetails {
    private static final int MODE_BITS = 07777;

    private final RawSyscalls raw;

    HostFileDetails(RawSyscalls raw) {
        this.raw = raw;
    }

    @Override
    public Optional<Identity> caller() {
        return Optional.of(new Identity(Integer.toUnsignedLong(raw.geteuid()), Integer.toUnsignedLong(raw.getegid())));
    }

    @Override
    public Optional<Ownership> ownership(AbsolutePath path) {
        try (NativeArena arena = new NativeArena()) {
            long status = status(path, arena);
            return status == 0 ? Optional.empty() : Optional.of(ownership(status));
        }
    }

    private static Ownership ownership(long status) {
        int mode = NativeRuntime.MEMORY.getShort(status + Statx.STX_MODE) & MODE_BITS;
        return new Ownership(new Identity(unsigned(status + Statx.STX_UID), unsigned(status + Statx.STX_GID)), mode);
    }

    private static long unsigned(long address) {
        return Integer.toUnsignedLong(NativeArena.getInt(address));
    }

    @Override
    public Optional<String> fingerprint(AbsolutePath path) {
        try (NativeArena arena = new NativeArena()) {
            long status = status(path, arena);
            if (status == 0) {
                return Optional.empty();
            }
            return Optional.of(NativeRuntime.MEMORY.getShort(status + Statx.STX_MODE)
                    + " " + NativeArena.getLong(status + Statx.STX_DEV)
                    + " " + NativeArena.getLong(status + Statx.STX_INO)
                    + " " + NativeArena.getLong(status + Statx.STX_SIZE)
                    + " " + time(status + Statx.STX_MTIME)
                    + " " + time(status + Statx.STX_CTIME));
        }
    }

    private static String time(long address) {
        return NativeArena.getLong(address) + "." + NativeArena.getInt(address + Long.BYTES);
    }

    /** The address of a {@code struct statx}; 0 where nothing can be seen. */
    private long status(AbsolutePath path, NativeArena arena) {
        long buffer = arena.allocate(Statx.SIZE);
        int result = raw.statx(
                Fcntl.AT_FDCWD,
                arena.string(path.toString()),
                Fcntl.AT_SYMLINK_NOFOLLOW,
                Statx.STATX_BASIC_STATS,
                buffer);
        return result < 0 ? 0 : buffer;
    }

    @Override
    public Optional<String> text(AbsolutePath file, int most) {
        try (NativeArena arena = new NativeArena()) {
            // Not blocking: a FIFO or a terminal may stand there by now.
            int fd = open(file, Fcntl.O_NONBLOCK | Fcntl.O_NOCTTY);
            if (fd < 0) {
                return Optional.empty();
            }
            try {
                return isRegular(fd, arena) ? Optional.of(text(fd, most, arena)) : Optional.empty();
            } finally {
                raw.close(fd);
            }
        }
    }

    private boolean isRegular(int fd, NativeArena arena) {
        long buffer = arena.allocate(Statx.SIZE);
        int result = raw.statx(fd, arena.string(""), Fcntl.AT_EMPTY_PATH, Statx.STATX_TYPE, buffer);
        return result >= 0 && (NativeRuntime.MEMORY.getShort(buffer + Statx.STX_MODE) & Statx.S_IFMT) == Statx.S_IFREG;
    }

    private String text(int fd, int most, NativeArena arena) {
        long buffer = arena.allocate(most);
        int length = (int) Math.max(raw.read(fd, buffer, most), 0);
        byte[] bytes = new byte[length];
        NativeArena.copy(buffer, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public List<String> names(AbsolutePath directory, int most) {
        int fd = open(directory, Fcntl.O_DIRECTORY);
        if (fd < 0) {
            return List.of();
        }
        try {
            return DirectoryListing.names(raw, fd, most);
        } finally {
            raw.close(fd);
        }
    }

    private int open(AbsolutePath path, int flags) {
        return new CanonicalOpen(raw).open(path.toString(), flags | Fcntl.O_RDONLY);
    }
}
