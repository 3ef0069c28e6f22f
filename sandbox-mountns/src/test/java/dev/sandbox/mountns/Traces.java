package dev.sandbox.mountns;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a run could leave: mounts of this namespace, descriptors of this JVM, children of it, files of a folder, and lines about that
 * folder in the journal of placeholders.
 */
final class Traces {
    private Traces() {}

    /** One line for each. */
    static List<String> of(Path folder) {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> tree = Files.walk(folder)) {
            tree.map(Path::toString).sorted().forEach(lines::add);
            mounts().forEach(lines::add);
            descriptors().forEach((descriptor, target) -> lines.add(descriptor + " -> " + target));
            journal(folder).forEach(lines::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ProcessHandle.current()
                .children()
                .filter(child -> !isWatchdog(child))
                .forEach(child -> lines.add("child " + child.pid()));
        return lines;
    }

    /** The one of this JVM, which stays. */
    private static boolean isWatchdog(ProcessHandle process) {
        return process.info()
                .arguments()
                .filter(arguments -> List.of(arguments).contains("sandbox-watchdog"))
                .isPresent();
    }

    /** Without those of containers, which come and go on a host with an engine; the sandbox makes no mount of their kinds. */
    static List<String> mounts() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .filter(line -> !line.matches(".*( - (overlay|nsfs|cgroup2) |containers/|/var/tmp/(?!box)).*"))
                .toList();
    }

    /** By number and by what they are open on; but not those that the JVM itself opens now and then: classes, and what tells of its memory. */
    private static Map<String, String> descriptors() throws IOException {
        Map<String, String> open = new TreeMap<>();
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            for (Path entry : entries.toList()) {
                try {
                    String target = Files.readSymbolicLink(entry).toString();
                    if (!target.matches(".*\\.(jar|class)|/sys/.*|/proc/.*")) {
                        open.put(entry.toString(), target);
                    }
                } catch (NoSuchFileException closedMeanwhile) {
                    // The descriptor that lists the folder.
                }
            }
        }
        return open;
    }

    private static Stream<String> journal(Path folder) throws IOException {
        Path journal = Path.of("/tmp/.sandbox-placeholders-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        if (!Files.isDirectory(journal)) {
            return Stream.empty();
        }
        String own = ProcessHandle.current().pid() + "-";
        List<String> lines = new ArrayList<>();
        try (DirectoryStream<Path> owners = Files.newDirectoryStream(journal, own + "*")) {
            for (Path owner : owners) {
                lines.addAll(Files.readAllLines(owner));
            }
        }
        return lines.stream().filter(line -> line.contains(folder.toString()));
    }
}
