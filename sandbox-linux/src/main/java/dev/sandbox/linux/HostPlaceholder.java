package dev.sandbox.linux;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;

/**
 * Something that must stand on the host while a step runs, because a mask needs something to lie on. Removed afterwards when it is
 * still empty.
 *
 * @param path where
 * @param kind DIRECTORY or FILE
 */
public record HostPlaceholder(AbsolutePath path, EntryKind kind) {
    /** For plans. */
    public String line() {
        return "placeholder on the host, for the run only: " + kind.id() + " " + path;
    }
}
