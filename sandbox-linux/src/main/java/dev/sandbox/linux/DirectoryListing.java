package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Dirent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Names in an open directory, by getdents64(2). */
final class DirectoryListing {
    private static final int SIZE = 8192;

    private DirectoryListing() {}

    /** Without the two dots, sorted; at most {@code most}, and what was read before an error. */
    static List<String> names(RawSyscalls raw, int fd, int most) {
        TreeSet<String> names = new TreeSet<>();
        byte[] bytes = new byte[SIZE];
        try (NativeArena arena = new NativeArena()) {
            long listing = arena.allocate(SIZE);
            int length = raw.getdents64(fd, listing, SIZE);
            while (length > 0 && names.size() < most) {
                NativeArena.copy(listing, bytes, 0, length);
                addNames(bytes, length, most, names);
                length = raw.getdents64(fd, listing, SIZE);
            }
        }
        return List.copyOf(names);
    }

    private static void addNames(byte[] bytes, int length, int most, Set<String> names) {
        for (int at = 0; at < length && names.size() < most; at += recordLength(bytes, at)) {
            int end = at + Dirent.D_NAME;
            while (bytes[end] != 0) {
                end++;
            }
            String name = new String(bytes, at + Dirent.D_NAME, end - at - Dirent.D_NAME, StandardCharsets.UTF_8);
            if (!name.equals(".") && !name.equals("..")) {
                names.add(name);
            }
        }
    }

    private static int recordLength(byte[] bytes, int at) {
        return (bytes[at + Dirent.D_RECLEN] & 0xff) | (bytes[at + Dirent.D_RECLEN + 1] & 0xff) << 8;
    }
}
