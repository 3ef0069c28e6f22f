package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Statx;

/** What stands at a path, or behind an open descriptor. */
public enum FileKind {
    FILE,
    DIRECTORY,
    SYMLINK,
    /** A device, a pipe or a socket. */
    OTHER;

    static FileKind ofMode(int mode) {
        return switch (mode & Statx.S_IFMT) {
            case Statx.S_IFREG -> FILE;
            case Statx.S_IFDIR -> DIRECTORY;
            case Statx.S_IFLNK -> SYMLINK;
            default -> OTHER;
        };
    }
}
