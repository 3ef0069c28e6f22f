package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** This host's files by Java's own calls. */
final class LocalFiles implements FileSystemView {
    @Override
    public EntryKind kind(AbsolutePath path) {
        try {
            int mode = (Integer) Files.getAttribute(Path.of(path.toString()), "unix:mode", LinkOption.NOFOLLOW_LINKS);
            return switch (mode & 0170000) {
                case 0100000 -> EntryKind.FILE;
                case 0040000 -> EntryKind.DIRECTORY;
                case 0120000 -> EntryKind.SYMLINK;
                case 0140000 -> EntryKind.SOCKET;
                case 0010000 -> EntryKind.FIFO;
                default -> EntryKind.DEVICE;
            };
        } catch (AccessDeniedException e) {
            return EntryKind.DENIED;
        } catch (IOException e) {
            return EntryKind.MISSING;
        }
    }

    @Override
    public String linkTarget(AbsolutePath link) {
        try {
            return Files.readSymbolicLink(Path.of(link.toString())).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
