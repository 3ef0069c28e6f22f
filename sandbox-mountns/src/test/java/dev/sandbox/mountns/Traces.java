package dev.sandbox.mountns;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a run could leave: mounts of this namespace, descriptors of this JVM, children of it, files of a folder, and lines about that
 * folder in the journal of placeholders. Two are equal when nothing was left in between.
 */
record Traces(List<String> mounts, TreeMap<String, String> descriptors, TreeSet<Long> children, List<String> files) {
    static Traces of(Path folder) {
        try (Stream<Path> tree = Files.walk(folder)) {
            List<String> files = tree.map(Path::toString).sorted().toList();
            TreeSet<Long> children = new TreeSet<>();
            ProcessHandle.current().children().forEach(child -> children.add(child.pid()));
            return new Traces(
                    mounts(),
                    openDescriptors(),
                    children,
                    Stream.concat(files.stream(), journal(folder)).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without those of containers, which come and go on a host with an engine; the sandbox makes no mount of their kinds. */
    private static List<String> mounts() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .filter(line -> !line.matches(".*( - (overlay|nsfs) |/containers/).*"))
                .toList();
    }

    /** By number and by what they are open on; but not those of the JVM's own class path, which come by themselves. */
    private static TreeMap<String, String> openDescriptors() throws IOException {
        TreeMap<String, String> open = new TreeMap<>();
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            for (Path entry : entries.toList()) {
                try {
                    String target = Files.readSymbolicLink(entry).toString();
                    if (!target.endsWith(".jar") && !target.matches("/proc/\\d+/fd")) {
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
        Path journal = Path.of("/tmp/.sandbox-mountns-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
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
