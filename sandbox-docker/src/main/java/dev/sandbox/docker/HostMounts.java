package dev.sandbox.docker;

import dev.sandbox.domain.path.AbsolutePath;
import java.io.ByteArrayOutputStream;
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
            return parse(Files.readAllLines(Path.of("/proc/self/mountinfo"), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return new TreeSet<>();
        }
    }

    static SortedSet<AbsolutePath> parse(List<String> lines) {
        TreeSet<AbsolutePath> points = new TreeSet<>();
        for (String line : lines) {
            String[] fields = line.split(" ");
            if (fields.length > MOUNT_POINT) {
                points.add(AbsolutePath.of(unescaped(fields[MOUNT_POINT])));
            }
        }
        return points;
    }

    /** The kernel writes space, tab, newline and backslash as a backslash and three octal digits. */
    private static String unescaped(String field) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < field.length(); i++) {
            if (field.charAt(i) == '\\' && i + 3 < field.length()) {
                bytes.write(Integer.parseInt(field.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                bytes.write(field.charAt(i));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
