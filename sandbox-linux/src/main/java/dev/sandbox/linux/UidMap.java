package dev.sandbox.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Which user ids a user namespace knows. What it does not know is shown as the overflow uid. Immutable.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/user_namespaces.7.html">user_namespaces(7)</a>
 */
final class UidMap {
    private static final Path OWN = Path.of("/proc/self/uid_map");
    private static final Path OVERFLOW = Path.of("/proc/sys/kernel/overflowuid");

    private final List<String> ranges;
    private final String overflow;

    /**
     * A map.
     *
     * @param ranges lines of three numbers: the first id inside, the first outside, how many
     * @param overflow the overflow uid, as text
     */
    UidMap(List<String> ranges, String overflow) {
        this.ranges = List.copyOf(ranges);
        this.overflow = overflow;
    }

    /** That of this process; one that takes nothing for unmapped when /proc cannot be read. */
    static UidMap ofThisProcess() {
        try {
            return new UidMap(Files.readAllLines(OWN), overflowUid());
        } catch (IOException closed) {
            return new UidMap(List.of(), "");
        }
    }

    /** By one read: sysctl(5) gives nothing after the first, and of a file of size 0 readString reads one byte first. */
    static String overflowUid() throws IOException {
        return String.join("", Files.readAllLines(OVERFLOW)).strip();
    }

    /** Whether an owner that is shown is nobody inside: the overflow uid, where no id inside is that number. */
    boolean isUnmapped(int shown) {
        return String.valueOf(shown).equals(overflow) && ranges.stream().noneMatch(range -> contains(range, shown));
    }

    private static boolean contains(String range, int id) {
        String[] numbers = range.strip().split("\\s+", -1);
        long first = Long.parseLong(numbers[0]);
        long count = Long.parseLong(numbers[2]);
        return id >= first && id < first + count;
    }
}
