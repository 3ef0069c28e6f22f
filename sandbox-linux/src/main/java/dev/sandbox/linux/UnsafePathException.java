package dev.sandbox.linux;

import dev.sandbox.domain.path.AbsolutePath;

/** A component of a path is a symbolic link or not a directory: what is made below it would land elsewhere. */
public final class UnsafePathException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient AbsolutePath path;

    UnsafePathException(AbsolutePath path, SyscallException cause) {
        super(path + " is a symbolic link or not a directory; nothing is made below it", cause);
        this.path = path;
    }

    /** The component, with what leads to it. */
    public AbsolutePath path() {
        return path;
    }
}
