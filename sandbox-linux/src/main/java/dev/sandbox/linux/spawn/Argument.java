package dev.sandbox.linux.spawn;

/** What a call is given: a number, the address of a block, or what a slot holds when the call is made. Immutable. */
public sealed interface Argument {
    /** A number as it is. */
    static Argument of(long value) {
        return new Value(value);
    }

    /** The address of a text. */
    static Argument text(String text) {
        return new Address(Block.text(text), 0);
    }

    /** The address of a block. */
    static Argument at(Block block) {
        return new Address(block, 0);
    }

    /** The address of a slot. */
    static Argument at(Slot slot) {
        return new Address(slot.block(), slot.offset());
    }

    /** What a slot holds. */
    static Argument in(Slot slot) {
        return new Load(slot);
    }

    /** @param value the number */
    record Value(long value) implements Argument {
        @Override
        public String toString() {
            return value >= -4096 && value < 4096 ? Long.toString(value) : "0x" + Long.toHexString(value);
        }
    }

    /**
     * @param block whose address it is
     * @param offset from its beginning
     */
    record Address(Block block, int offset) implements Argument {
        @Override
        public String toString() {
            String place = offset == 0 ? block.label() : block.label() + "+" + offset;
            return place.startsWith("\"") ? place : "&" + place;
        }
    }

    /** @param slot what is loaded */
    record Load(Slot slot) implements Argument {
        @Override
        public String toString() {
            return slot.toString();
        }
    }
}
