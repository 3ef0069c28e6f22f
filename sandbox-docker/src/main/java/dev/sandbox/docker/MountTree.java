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

    List<ContainerMount> all() {
        List<ContainerMount> all = new ArrayList<>();
        mounts.entrySet().forEach(mount -> all.add(mount(mount)));
        return all;
    }

    private static ContainerMount mount(Map.Entry<AbsolutePath, Kind> entry) {
        return new ContainerMount(entry.getKey(), entry.getValue());
    }
}
