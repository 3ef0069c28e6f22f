package dev.sandbox.domain.path;

/**
 * The port through which the domain looks at a file system. Implementations answer for one path without following a final
 * symbolic link, never throw for what is missing or forbidden, and may be called from any thread.
 */
public interface FileSystemView {
    /** What stands at this path (lstat(2)). */
    EntryKind kind(AbsolutePath path);

    /** The text of a symbolic link (readlink(2)); only asked where {@link #kind} said {@code SYMLINK}. */
    String linkTarget(AbsolutePath link);

    /** What else the host tells of its files. */
    default FileDetails details() {
        return FileDetails.UNKNOWN;
    }
}
