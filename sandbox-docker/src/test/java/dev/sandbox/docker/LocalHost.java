package dev.sandbox.docker;

import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** This host's files by java.nio: enough for tests. */
final class LocalHost implements FileSystemView, HostFiles {
    @Override
    public EntryKind kind(AbsolutePath path) {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(at(path), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (found.isDirectory()) {
                return EntryKind.DIRECTORY;
            }
            if (found.isSymbolicLink()) {
                return EntryKind.SYMLINK;
            }
            return found.isRegularFile() ? EntryKind.FILE : special(path);
        } catch (NoSuchFileException e) {
            return EntryKind.MISSING;
        } catch (AccessDeniedException e) {
            return EntryKind.DENIED;
        } catch (IOException e) {
            return EntryKind.MISSING;
        }
    }

    private static EntryKind special(AbsolutePath path) throws IOException {
        int mode = (int) Files.getAttribute(at(path), "unix:mode", LinkOption.NOFOLLOW_LINKS);
        return switch (mode & 0170000) {
            case 0140000 -> EntryKind.SOCKET;
            case 0010000 -> EntryKind.FIFO;
            default -> EntryKind.DEVICE;
        };
    }

    @Override
    public String linkTarget(AbsolutePath link) {
        try {
            return Files.readSymbolicLink(at(link)).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void createDirectory(AbsolutePath directory) {
        try {
            Files.createDirectories(
                    at(directory), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void writeIfMissing(AbsolutePath directory, String name, String content) {
        Path file = at(directory.resolve(name));
        try {
            if (!Files.exists(file)) {
                Files.writeString(file, content);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public AbsolutePath createTemporary(AbsolutePath parent) {
        try {
            return AbsolutePath.of(Files.createTempDirectory(at(parent), "sbx").toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void removeTree(AbsolutePath directory) {
        try (Stream<Path> tree = Files.walk(at(directory))) {
            List<Path> innermostFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path path : innermostFirst) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path at(AbsolutePath path) {
        return Path.of(path.toString());
    }
}
