package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.linux.OctalText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The mounts of a namespace, read from mountinfo. Immutable.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html">proc_pid_mountinfo(5)</a>
 */
final class MountTable {
    /**
     * One mount.
     *
     * @param id its number
     * @param parent the number of the mount that it lies on
     * @param point where it is
     * @param flags {@code ro}, {@code nosuid}, {@code noexec} and so on
     */
    record Entry(int id, int parent, AbsolutePath point, Set<String> flags) {
        boolean has(String flag) {
            return flags.contains(flag);
        }
    }

    private final List<Entry> entries;
    private final Map<Integer, List<Entry>> children = new HashMap<>();
    private final Entry root;

    private MountTable(List<Entry> entries) {
        this.entries = entries;
        Set<Integer> ids = new HashSet<>();
        entries.forEach(entry -> ids.add(entry.id()));
        entries.forEach(entry -> children.computeIfAbsent(entry.parent(), any -> new ArrayList<>())
                .add(entry));
        this.root = entries.stream()
                .filter(entry -> !ids.contains(entry.parent()) || entry.parent() == entry.id())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("mountinfo has no root"));
    }

    static MountTable parse(Stream<String> lines) {
        return new MountTable(
                lines.filter(line -> !line.isEmpty()).map(MountTable::entry).toList());
    }

    private static Entry entry(String line) {
        String[] fields = line.split(" ");
        return new Entry(
                Integer.parseInt(fields[0]),
                Integer.parseInt(fields[1]),
                AbsolutePath.of(OctalText.unescape(fields[4])),
                Set.of(fields[5].split(",")));
    }

    List<Entry> entries() {
        return entries;
    }

    /** The mount in which a path lies, found as the kernel does: crossing mounts from the root on. */
    Entry at(AbsolutePath path) {
        Entry current = root;
        while (true) {
            Entry next = null;
            for (Entry child : children.getOrDefault(current.id(), List.of())) {
                boolean nearer = next == null
                        || child.point().components().size()
                                < next.point().components().size();
                if (child.id() != current.id() && child.point().contains(path) && nearer) {
                    next = child;
                }
            }
            if (next == null) {
                return current;
            }
            current = next;
        }
    }

    /** The mounts strictly below a path that can be reached, outermost first. */
    List<Entry> below(AbsolutePath path) {
        return entries.stream()
                .filter(entry -> path.strictlyContains(entry.point())
                        && at(entry.point()).id() == entry.id())
                .sorted(Comparator.comparing(Entry::point))
                .toList();
    }
}
