package dev.sandbox.docker;

import dev.sandbox.docker.ContainerMount.Kind;
import dev.sandbox.domain.path.AbsolutePath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The mounts of one plan while it is made: one for each path; the innermost around a path decides what is seen there. */
final class MountTree {
    private final TreeMap<AbsolutePath, Kind> mounts = new TreeMap<>();
    private final TreeMap<AbsolutePath, ContainerMount> named = new TreeMap<>();

    void put(AbsolutePath target, Kind kind) {
        mounts.put(target, kind);
    }

    void putIfAbsent(AbsolutePath target, Kind kind) {
        mounts.putIfAbsent(target, kind);
    }

    /** The innermost mount on or above the path. */
    Optional<ContainerMount> around(AbsolutePath path) {
        return mounts.entrySet().stream()
                .filter(mount -> mount.getKey().contains(path))
                .max(Comparator.comparingInt(
                        mount -> mount.getKey().components().size()))
                .map(MountTree::mount);
    }

    boolean shows(AbsolutePath path, Kind kind) {
        return around(path).filter(mount -> mount.kind() == kind).isPresent();
    }

    boolean showsHost(AbsolutePath path) {
        return around(path).filter(mount -> mount.kind().isBind()).isPresent();
    }

    /**
     * Shows under a name that leads through a link what is shown where that leads, with all that lies over it. Inside what the host shows,
     * the link itself is there; what is covered stays covered.
     */
    void name(AbsolutePath name, AbsolutePath canonical) {
        Optional<ContainerMount> shown =
                around(canonical).filter(mount -> mount.kind().isBind());
        boolean taken =
                around(name).filter(mount -> mount.kind().isOnTheHost()).isPresent() || mounts.containsKey(name);
        if (shown.isPresent() && !taken) {
            named.putIfAbsent(name, new ContainerMount(name, shown.get().kind(), canonical));
            mounts.forEach((target, kind) -> {
                if (canonical.strictlyContains(target)) {
                    ContainerMount inner = new ContainerMount(target, kind).named(canonical, name);
                    named.putIfAbsent(inner.target(), inner);
                }
            });
        }
    }

    List<ContainerMount> all() {
        List<ContainerMount> all = new ArrayList<>(named.values());
        mounts.entrySet().forEach(mount -> all.add(mount(mount)));
        return all;
    }

    private static ContainerMount mount(Map.Entry<AbsolutePath, Kind> entry) {
        return new ContainerMount(entry.getKey(), entry.getValue());
    }
}
