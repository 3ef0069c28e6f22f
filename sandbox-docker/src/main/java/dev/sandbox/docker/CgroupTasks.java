package dev.sandbox.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How many tasks a container has, as the kernel counts them in its cgroup (pids.current): one small file, where the engine would
 * start a ps(1). Known only when the engine runs on this machine and this process sees the container's cgroup.
 */
final class CgroupTasks {
    private static final Path MOUNT = Path.of("/sys/fs/cgroup");

    private final Optional<Path> counter;

    private CgroupTasks(Optional<Path> counter) {
        this.counter = counter;
    }

    /** Those of a container; its id is looked for in the process's cgroups, since the number may mean another process here. */
    static CgroupTasks of(String container, long pid) {
        try {
            List<String> lines = Files.readAllLines(Path.of("/proc/" + pid + "/cgroup"));
            return new CgroupTasks(candidates(container, lines)
                    .map(folder -> folder.resolve("pids.current"))
                    .filter(Files::isReadable)
                    .findFirst());
        } catch (IOException notHere) {
            return new CgroupTasks(Optional.empty());
        }
    }

    /** Lines of cgroups(7): {@code 9:pids:/docker/ID} in version 1, {@code 0::/system.slice/docker-ID.scope} in version 2. */
    static Stream<Path> candidates(String container, List<String> lines) {
        return lines.stream()
                .map(line -> line.split(":", 3))
                .filter(fields -> fields.length == 3 && fields[2].contains(container))
                .filter(fields -> fields[1].isEmpty()
                        || Arrays.asList(fields[1].split(",")).contains("pids"))
                .map(fields -> (fields[1].isEmpty() ? MOUNT : MOUNT.resolve("pids")).resolve(fields[2].substring(1)));
    }

    /** True only when the kernel says so; a process that ended and was not yet waited for still counts. */
    boolean hasExactly(long tasks) {
        return counter.filter(file -> read(file).equals(Long.toString(tasks))).isPresent();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException gone) {
            return "";
        }
    }
}
