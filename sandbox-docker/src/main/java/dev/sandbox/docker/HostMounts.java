package dev.sandbox.docker;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.OctalText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Where file systems are mounted on this host (proc_pid_mountinfo(5)). */
final class HostMounts {
    private static final int MOUNT_POINT = 4;

    private HostMounts() {}

    static SortedSet<AbsolutePath> read() {
        try {
            return parse(lines(Path.of("/proc/self/mountinfo")));
        } catch (IOException e) {
            throw new SandboxUnavailableException(
                    "docker", "this host's mounts cannot be read: " + e.getMessage(), "", e);
        }
    }

    /** The lines of a mountinfo. The kernel writes a carriage return in a path as it is, and what is no UTF-8 too. */
    static List<String> lines(Path mountinfo) throws IOException {
        return List.of(new String(Files.readAllBytes(mountinfo), StandardCharsets.UTF_8).split("\n"));
    }

    static SortedSet<AbsolutePath> parse(List<String> lines) {
        TreeSet<AbsolutePath> points = new TreeSet<>();
        for (String line : lines) {
            String[] fields = line.split(" ");
            if (fields.length > MOUNT_POINT) {
                points.add(AbsolutePath.of(OctalText.unescape(fields[MOUNT_POINT])));
            }
        }
        return points;
    }
}
