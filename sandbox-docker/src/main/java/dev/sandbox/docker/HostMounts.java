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
            String text = new String(Files.readAllBytes(Path.of("/proc/self/mountinfo")), StandardCharsets.UTF_8);
            return parse(text.lines().toList());
        } catch (IOException e) {
            throw new SandboxUnavailableException(
                    "docker", "this host's mounts cannot be read: " + e.getMessage(), "", e);
        }
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
