package dev.sandbox.linux.spawn;

/** How programs lie in memory, as the machine code reads them; all words have 64 bits. See {@code src/main/asm}. */
final class Layout {
    /** {@code struct program}: count, address of the first record, index of the entry it stands at, errno of the one that stopped it. */
    static final int PROGRAM_SIZE = 32;

    static final int COUNT = 0;
    static final int RECORDS = 8;
    static final int AT = 16;
    static final int ERRNO = 24;

    /** {@code struct record}. */
    static final int RECORD_SIZE = 96;

    static final int KIND = 0;
    static final int NUMBER = 8;
    static final int ARGUMENTS = 16;
    /** A bit for each argument that is an address to load from. */
    static final int LOADED = 64;

    static final int RESULT = 72;
    static final int TOLERATED = 80;

    static final long KIND_CALL = 0;
    static final long KIND_CLONE = 1;
    static final long KIND_COMPARE = 2;

    /** The clone's last argument is the child's program. */
    static final int PROGRAM_ARGUMENT = 5;

    /** The interpreter takes less than a hundred bytes, and no signal handler runs on it. */
    static final int STACK_SIZE = 4096;

    static final int STACK_ALIGNMENT = 16;

    /** What a parent's look at its child fails with: the child's own error says why. */
    static final int ECANCELED = 125;

    private Layout() {}
}
