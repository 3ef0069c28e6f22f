package dev.sandbox.domain.resolve;

import dev.sandbox.domain.verdict.Operation;
import java.util.Locale;

/** What a rule gives or takes for its path and everything below. */
public enum Access {
    /** Read files, list directories, execute. */
    READ,
    /** Everything that READ gives, and write, create, delete, rename. */
    WRITE,
    /** List directories; read no file. */
    LIST,
    /** Read and write one device node. */
    DEVICE,
    /** Takes everything. */
    BLOCKED,
    /** Takes writing, creating, deleting and renaming. */
    BLOCKED_WRITE;

    /** True for the two that take instead of giving. */
    public boolean isBlock() {
        return this == BLOCKED || this == BLOCKED_WRITE;
    }

    /** True when a grant of this kind allows the operation, or a block of this kind forbids it. */
    public boolean concerns(Operation operation) {
        return switch (this) {
            case READ -> !operation.isChange();
            case LIST -> operation == Operation.LIST;
            case DEVICE -> operation == Operation.READ || operation == Operation.WRITE;
            case WRITE, BLOCKED -> true;
            case BLOCKED_WRITE -> operation.isChange();
        };
    }

    /** The name in plans and JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
