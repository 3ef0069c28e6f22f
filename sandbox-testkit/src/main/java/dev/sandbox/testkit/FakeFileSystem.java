package dev.sandbox.testkit;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A file system in memory. Its own way of following links is written apart from the domain's, so that tests can compare the two.
 * Missing parents of what is added become directories. Mutable; not thread-safe.
 */
public final class FakeFileSystem implements FileSystemView {
    private static final int MAX_LINKS = 40;

    private final TreeMap<AbsolutePath, EntryKind> entries = new TreeMap<>();
    private final TreeMap<AbsolutePath, String> links = new TreeMap<>();
    private final Set<AbsolutePath> denied = new TreeSet<>();
    private final FakeDetails details = new FakeDetails(this);
    private int looks;

    /** Where a walk ended. */
    public record Place(AbsolutePath path, EntryKind kind) {}

    public FakeFileSystem() {
        entries.put(AbsolutePath.ROOT, EntryKind.DIRECTORY);
    }

    /** A usual Linux root after the merge of /bin into /usr/bin, and an empty /w to work in. */
    public static FakeFileSystem linux() {
        return new FakeFileSystem()
                .file("/usr/bin/env")
                .file("/usr/sbin/chroot")
                .file("/usr/lib/libc.so")
                .file("/usr/local/bin/tool")
                .symlink("/bin", "usr/bin")
                .symlink("/sbin", "usr/sbin")
                .symlink("/lib", "usr/lib")
                .file("/etc/passwd")
                .file("/run/systemd/resolve/stub-resolv.conf")
                .symlink("/etc/resolv.conf", "../run/systemd/resolve/stub-resolv.conf")
                .file("/proc/meminfo")
                .directory("/sys/devices")
                .device("/dev/null")
                .directory("/dev/shm")
                .directory("/tmp")
                .directory("/home/user")
                .directory("/w");
    }

    public FakeFileSystem directory(String path) {
        return add(path, EntryKind.DIRECTORY);
    }

    public FakeFileSystem file(String path) {
        return add(path, EntryKind.FILE);
    }

    public FakeFileSystem socket(String path) {
        return add(path, EntryKind.SOCKET);
    }

    public FakeFileSystem device(String path) {
        return add(path, EntryKind.DEVICE);
    }

    public FakeFileSystem symlink(String path, String target) {
        links.put(AbsolutePath.of(path), target);
        return add(path, EntryKind.SYMLINK);
    }

    /** The account may look neither at this path nor at anything below. */
    public FakeFileSystem denied(String path) {
        denied.add(AbsolutePath.of(path));
        return this;
    }

    private FakeFileSystem add(String text, EntryKind kind) {
        AbsolutePath path = AbsolutePath.of(text);
        if (!hasRoomFor(path) && entries.get(path) != kind) {
            throw new IllegalArgumentException(path + " cannot be made here");
        }
        path.ancestors().forEach(above -> entries.put(above, EntryKind.DIRECTORY));
        entries.put(path, kind);
        return this;
    }

    /** True when nothing stands at this path and nothing but directories above it. */
    public boolean hasRoomFor(AbsolutePath path) {
        return !entries.containsKey(path)
                && path.ancestors().stream()
                        .allMatch(above -> entries.getOrDefault(above, EntryKind.DIRECTORY) == EntryKind.DIRECTORY);
    }

    /** Removes a path and all below it. */
    public void remove(AbsolutePath path) {
        entries.keySet().removeIf(path::contains);
        links.keySet().removeIf(path::contains);
    }

    /** All that stands here. */
    public Set<AbsolutePath> paths() {
        return new TreeSet<>(entries.keySet());
    }

    /** How often somebody has looked at what stands somewhere. */
    public int looks() {
        return looks;
    }

    @Override
    public EntryKind kind(AbsolutePath path) {
        looks++;
        if (path.parent().isEmpty()) {
            return EntryKind.DIRECTORY;
        }
        Place parent = stat(path.parent().get());
        return switch (parent.kind()) {
            case DIRECTORY -> raw(parent.path().resolve(path.name()));
            case DENIED -> EntryKind.DENIED;
            default -> EntryKind.MISSING;
        };
    }

    @Override
    public String linkTarget(AbsolutePath link) {
        String target = links.get(link);
        if (target == null) {
            throw new IllegalArgumentException(link + " is no link");
        }
        return target;
    }

    @Override
    public FakeDetails details() {
        return details;
    }

    /** What stat(2) finds: all links followed; {@code MISSING} also where a name is looked up in what is no directory. */
    public Place stat(AbsolutePath path) {
        return walk(AbsolutePath.ROOT, path.toString(), new int[1]);
    }

    /** The same for a text that may hold {@code ..}. */
    public Place stat(String absolute) {
        return walk(AbsolutePath.ROOT, absolute, new int[1]);
    }

    private Place walk(AbsolutePath from, String text, int[] followed) {
        Place at = new Place(from, EntryKind.DIRECTORY);
        for (String name : text.split("/", -1)) {
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            if (at.kind() == EntryKind.DENIED || at.kind() == EntryKind.SYMLINK) {
                return at;
            }
            if (at.kind() != EntryKind.DIRECTORY) {
                return new Place(at.path(), EntryKind.MISSING);
            }
            at = name.equals("..")
                    ? new Place(at.path().parent().orElse(AbsolutePath.ROOT), EntryKind.DIRECTORY)
                    : step(at.path(), name, followed);
        }
        return at;
    }

    private Place step(AbsolutePath directory, String name, int[] followed) {
        AbsolutePath here = directory.resolve(name);
        EntryKind kind = raw(here);
        if (kind != EntryKind.SYMLINK) {
            return new Place(here, kind);
        }
        if (++followed[0] > MAX_LINKS) {
            return new Place(here, EntryKind.SYMLINK);
        }
        String target = linkTarget(here);
        return walk(target.startsWith("/") ? AbsolutePath.ROOT : directory, target, followed);
    }

    private EntryKind raw(AbsolutePath path) {
        if (denied.stream().anyMatch(closed -> closed.contains(path))) {
            return EntryKind.DENIED;
        }
        return entries.getOrDefault(path, EntryKind.MISSING);
    }

    /** One line for each entry, for the report of a failing property. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        entries.forEach((path, kind) -> text.append(kind.id())
                .append(' ')
                .append(path)
                .append(links.containsKey(path) ? " -> " + links.get(path) : "")
                .append('\n'));
        return text.append("denied ").append(denied).toString();
    }
}
