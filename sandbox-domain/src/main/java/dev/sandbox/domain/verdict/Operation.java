package dev.sandbox.domain.verdict;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a step may try to do to a path. */
public enum Operation {
    /** Open a file for reading. */
    READ,
    /** List a directory. */
    LIST,
    /** Open an existing file for writing, or truncate it. */
    WRITE,
    /** Create, delete or rename the name itself. */
    CREATE,
    /** Execute a file. */
    EXEC;

    /** True for what changes the file system. */
    public boolean isChange() {
        return this == WRITE || this == CREATE;
    }

    /** The name in options and JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The operation of this name. */
    public static Optional<Operation> of(String id) {
        return Arrays.stream(values()).filter(o -> o.id().equals(id)).findFirst();
    }
}
