package dev.sandbox.docker;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.SyscallException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The host's entries that the mounts inside other mounts stand on: what is blocked, and the folders that lead there. A mount keeps an
 * entry from being renamed in its own mount namespace only. A process of another one that was handed a descriptor of the folder can
 * rename the entry, and then its name is free, and its content has a name that nobody blocked. Open descriptors tell afterwards.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/mount_namespaces.7.html">mount_namespaces(7), restrictions on mount points</a>
 */
final class BlockedEntries implements AutoCloseable {
    private final LinuxSyscalls syscalls;
    private final Map<AbsolutePath, FileDescriptor> entries = new TreeMap<>();

    private BlockedEntries(LinuxSyscalls syscalls) {
        this.syscalls = syscalls;
    }

    /** What became of an entry. */
    enum Fate {
        /** It has another name now: its content is no longer blocked. */
        MOVED,
        /** It is gone, and perhaps something new stands there, as after a program of the host saved it anew. */
        REPLACED
    }

    /**
     * An entry that is no longer where it was.
     *
     * @param fate what became of it
     * @param text for people
     */
    record Change(Fate fate, String text) {}

    /** Opens those of a spec. */
    static BlockedEntries of(ContainerSpec spec, LinuxSyscalls syscalls) {
        BlockedEntries opened = new BlockedEntries(syscalls);
        try {
            spec.mounts().stream()
                    .filter(mount -> mount.kind().isOnTheHost())
                    .filter(mount -> isInside(mount, spec))
                    .map(ContainerMount::source)
                    .distinct()
                    .forEach(opened::add);
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private static boolean isInside(ContainerMount mount, ContainerSpec spec) {
        return spec.mounts().stream()
                .anyMatch(outer -> outer.kind().isBind() && outer.target().strictlyContains(mount.target()));
    }

    private void add(AbsolutePath path) {
        entries.put(path, syscalls.openCanonical(path.toString()));
    }

    /** The first that is no longer where it was. */
    Optional<Change> change() {
        return entries.entrySet().stream()
                .filter(entry -> !stands(entry.getKey(), entry.getValue()))
                .map(entry -> change(entry.getKey(), entry.getValue()))
                .min((one, other) -> one.fate().compareTo(other.fate()));
    }

    private boolean stands(AbsolutePath path, FileDescriptor entry) {
        try (FileDescriptor now = syscalls.openCanonical(path.toString())) {
            return syscalls.status(now).identity().equals(syscalls.status(entry).identity());
        } catch (SyscallException gone) {
            return false; // or out of sight, which is as bad
        }
    }

    private Change change(AbsolutePath path, FileDescriptor entry) {
        return syscalls.status(entry).links() == 0
                ? new Change(Fate.REPLACED, path + " was removed or replaced")
                : new Change(Fate.MOVED, path + " was moved to " + nameOf(entry));
    }

    private static String nameOf(FileDescriptor entry) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + entry.number()))
                    .toString();
        } catch (IOException e) {
            return "a place that cannot be told: " + e.getMessage();
        }
    }

    @Override
    public void close() {
        entries.values().forEach(FileDescriptor::close);
        entries.clear();
    }
}
