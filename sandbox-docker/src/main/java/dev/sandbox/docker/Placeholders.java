package dev.sandbox.docker;

import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.path.AbsolutePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;

/**
 * Empty directories on the host that stand for paths which are blocked and do not exist. Directories, because rmdir(2) removes
 * one only while it is empty, in one step; a file could be filled between the look and the removal. Close it when the
 * container has ended: while it runs, removing one would lift the block.
 */
final class Placeholders implements AutoCloseable {
    private record Made(AbsolutePath path, Object identity) {}

    private final Deque<Made> made = new ArrayDeque<>();

    private Placeholders() {}

    /** Makes them, parents included. */
    static Placeholders make(Collection<AbsolutePath> paths, HostFiles files) {
        Placeholders placeholders = new Placeholders();
        for (AbsolutePath path : paths) {
            for (AbsolutePath folder : path.ancestors()) {
                placeholders.makeOne(folder, files);
            }
            placeholders.makeOne(path, files);
        }
        return placeholders;
    }

    private void makeOne(AbsolutePath folder, HostFiles files) {
        if (!Files.exists(Path.of(folder.toString()), LinkOption.NOFOLLOW_LINKS)) {
            files.createDirectory(folder);
            identity(folder).ifPresent(identity -> made.push(new Made(folder, identity)));
        }
    }

    private static Optional<Object> identity(AbsolutePath path) {
        try {
            BasicFileAttributes found = Files.readAttributes(
                    Path.of(path.toString()), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return Optional.ofNullable(found.fileKey());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Removes those that are still ours and empty, innermost first. */
    @Override
    public void close() {
        while (!made.isEmpty()) {
            Made last = made.pop();
            try (SecureDirectoryStream<Path> parent =
                    folder(last.path().parent().orElse(AbsolutePath.ROOT))) {
                remove(parent, last);
            } catch (IOException stays) {
                // filled or replaced meanwhile: somebody else's now
            }
        }
    }

    private static void remove(SecureDirectoryStream<Path> parent, Made last) throws IOException {
        Path name = Path.of(last.path().name());
        BasicFileAttributes found = parent.getFileAttributeView(
                        name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
        if (Objects.equals(found.fileKey(), last.identity())) {
            parent.deleteDirectory(name);
        }
    }

    /** Walks by descriptors: a step may have left a symbolic link on the way. */
    @SuppressWarnings("StreamResourceLeak") // the caller closes the last one
    private static SecureDirectoryStream<Path> folder(AbsolutePath path) throws IOException {
        SecureDirectoryStream<Path> current = (SecureDirectoryStream<Path>) Files.newDirectoryStream(Path.of("/"));
        for (String name : path.components()) {
            try (SecureDirectoryStream<Path> above = current) {
                current = above.newDirectoryStream(Path.of(name), LinkOption.NOFOLLOW_LINKS);
            }
        }
        return current;
    }
}
