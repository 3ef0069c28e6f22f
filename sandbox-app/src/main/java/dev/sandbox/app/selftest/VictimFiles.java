package dev.sandbox.app.selftest;

import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeHostFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files among the victims, and whether they are as they were. Not thread-safe. */
final class VictimFiles implements AutoCloseable {
    /** As deep as what is laid out here; a step may have made more. */
    private static final int DEEPEST = 8;

    private static final HostFiles HOST_FILES = new NativeHostFiles(LinuxSyscalls.host());

    private final Path root;
    private final String word;
    private final byte[] program;
    private Map<Path, String> before = Map.of();

    private VictimFiles(Path root, String word, byte[] program) {
        this.root = root;
        this.word = word;
        this.program = program;
    }

    static VictimFiles make(String word, byte[] program) throws IOException {
        // Canonical, as the kernel will see it: the temporary folder may be reached by a link.
        Path root = Files.createTempDirectory("sandbox-selftest").toRealPath();
        VictimFiles files = new VictimFiles(root, word, program);
        try {
            for (Path folder : List.of(files.outside(), files.inside(), files.readonly())) {
                Files.createDirectory(folder);
            }
            files.write();
            return files;
        } catch (IOException | RuntimeException | Error e) {
            files.close();
            throw e;
        }
    }

    Path outside() {
        return root.resolve("outside");
    }

    Path inside() {
        return root.resolve("inside");
    }

    Path readonly() {
        return root.resolve("readonly");
    }

    Path secret() {
        return outside().resolve("secret");
    }

    Path socket() {
        return outside().resolve("socket");
    }

    Path program() {
        return readonly().resolve("probe");
    }

    private Path carved() {
        return inside().resolve("carved");
    }

    private void write() throws IOException {
        text(secret(), "rw-r--r--");
        Files.createDirectories(outside().resolve("empty"));
        file(outside().resolve("tool"), "#!/bin/sh\nexit 0\n".getBytes(StandardCharsets.US_ASCII), "rwxr-xr-x");
        copy(outside().resolve("program"), "rwxr-xr-x");
        text(readonly().resolve("word"), "rw-r--r--");
        copy(readonly().resolve("program"), "rw-r--r--");
        file(program(), program, "rwxr-xr-x");
        text(inside().resolve("plain"), "rw-r--r--", "nothing\n");
        Files.createDirectories(inside().resolve(".git/hooks"));
        text(inside().resolve(".git/config"), "rw-r--r--", "[core]\n");
        Files.createDirectories(carved().resolve("folder"));
        text(carved().resolve("secret"), "rw-r--r--");
        text(carved().resolve("fixed"), "rw-r--r--");
        text(carved().resolve("folder/deep"), "rw-r--r--");
    }

    private void text(Path path, String mode) throws IOException {
        text(path, mode, word + "\n");
    }

    private static void text(Path path, String mode, String text) throws IOException {
        file(path, text.getBytes(StandardCharsets.UTF_8), mode);
    }

    private static void file(Path path, byte[] content, String mode) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.write(path, content);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
        }
    }

    private static void copy(Path path, String mode) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.copy(Path.of("/bin/true"), path, StandardCopyOption.COPY_ATTRIBUTES);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
        }
    }

    /** From here on, this is how they have to be. */
    void remember() throws IOException {
        before = state();
    }

    /** Which of them are not as they were, or new; they are put back. */
    List<Path> restore() throws IOException {
        Map<Path, String> now = state();
        if (now.equals(before)) {
            return List.of();
        }
        List<Path> changed = new ArrayList<>();
        for (Path path : union(before, now)) {
            if (!Objects.equals(before.get(path), now.get(path))) {
                changed.add(path);
                remove(path);
            }
        }
        write();
        remember();
        return changed;
    }

    private static List<Path> union(Map<Path, String> one, Map<Path, String> other) {
        return Stream.concat(one.keySet().stream(), other.keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** A folder keeps its inode, since a policy may be bound to it, and so does the socket, which somebody listens on. */
    private void remove(Path path) {
        boolean keep = path.equals(socket()) || path.equals(outside()) || path.equals(readonly());
        if (!keep) {
            removeTree(path);
        }
    }

    private Map<Path, String> state() throws IOException {
        Map<Path, String> state = new TreeMap<>();
        for (Path watched : List.of(
                outside(),
                readonly(),
                carved().resolve("secret"),
                carved().resolve("fixed"),
                carved().resolve("folder"))) {
            if (!Files.exists(watched, LinkOption.NOFOLLOW_LINKS)) {
                continue;
            }
            try (Stream<Path> paths = Files.walk(watched, DEEPEST)) {
                for (Path path : paths.toList()) {
                    state.put(path, stamp(path));
                }
            }
        }
        return state;
    }

    private static String stamp(Path path) throws IOException {
        Map<String, Object> attributes =
                Files.readAttributes(path, "unix:mode,uid,gid,size,nlink,ino,ctime", LinkOption.NOFOLLOW_LINKS);
        return new TreeMap<>(attributes).toString();
    }

    @Override
    public void close() {
        removeTree(root);
    }

    /** A step may write there: nothing of what it put in the way is followed. */
    private static void removeTree(Path path) {
        HOST_FILES.removeTree(AbsolutePath.of(path.toString()));
    }
}
