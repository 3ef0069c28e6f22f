package dev.sandbox.domain.path;

import java.util.Locale;

/** What stands at a path, links not followed. */
public enum EntryKind {
    DIRECTORY,
    FILE,
    SYMLINK,
    SOCKET,
    FIFO,
    DEVICE,
    /** Nothing: no such name. */
    MISSING,
    /** This account may not look. */
    DENIED;

    /** The name for people and JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
