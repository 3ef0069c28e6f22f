package dev.sandbox.linux.spawn;

/**
 * A 64-bit word of a program's memory, into which a call's result goes or from which an argument comes: a descriptor that one call
 * opens and the next uses.
 *
 * @param block where it is
 * @param offset of its first byte; eight bytes from there on belong to it
 */
public record Slot(Block block, int offset) {
    public Slot {
        if (offset < 0 || offset + Long.BYTES > block.content().length) {
            throw new IllegalArgumentException("a slot lies outside of " + block.label());
        }
    }

    /** A word of its own, zero at first. */
    public static Slot named(String name) {
        return Block.zero("$" + name, Long.BYTES).slot(0);
    }

    @Override
    public String toString() {
        return offset == 0 ? block.label() : block.label() + "+" + offset;
    }
}
