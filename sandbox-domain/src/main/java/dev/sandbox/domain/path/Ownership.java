package dev.sandbox.domain.path;

/**
 * Who owns a file, and what its mode lets others do. Access lists beyond the mode are not looked at.
 *
 * @param owner its user and group
 * @param mode its permission bits, as of chmod(2)
 */
public record Ownership(Identity owner, int mode) {
    /** What may be done with a file or folder; the bits of the last octal digit of a mode. */
    public enum Right {
        READ(4),
        WRITE(2),
        /** Execute a file, or pass through a folder. */
        PASS(1);

        private final int bit;

        Right(int bit) {
            this.bit = bit;
        }
    }

    /** Whether an identity without capabilities and without further groups has the right. */
    public boolean allows(Identity who, Right right) {
        int shift = who.uid() == owner.uid() ? 6 : who.gid() == owner.gid() ? 3 : 0;
        return (mode >> shift & right.bit) != 0;
    }
}
