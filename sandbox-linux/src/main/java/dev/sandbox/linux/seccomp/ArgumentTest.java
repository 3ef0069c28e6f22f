package dev.sandbox.linux.seccomp;

import org.jspecify.annotations.Nullable;

/**
 * Looks at the low half of one argument of a call. The kernel takes the arguments that are tested here as ints, or looks at their low
 * half alone: a test of all 64 bits would be passed by setting a high one.
 *
 * @param index which argument, from 0
 * @param mask the bits that count
 * @param relation how they must stand to the value
 * @param value what they are compared with
 */
record ArgumentTest(int index, int mask, Relation relation, int value) {
    static final int ALL = -1;

    /** How a word stands to a value. */
    enum Relation {
        IS,
        IS_NOT
    }

    ArgumentTest {
        if (index < 0 || index > 5 || (value & ~mask) != 0) {
            throw new IllegalArgumentException("argument " + index + " & " + mask + " against " + value);
        }
    }

    static ArgumentTest is(int index, int value) {
        return new ArgumentTest(index, ALL, Relation.IS, value);
    }

    static ArgumentTest isNot(int index, int value) {
        return new ArgumentTest(index, ALL, Relation.IS_NOT, value);
    }

    static ArgumentTest maskedIsNot(int index, int mask, int value) {
        return new ArgumentTest(index, mask, Relation.IS_NOT, value);
    }

    /** One of these bits, or more, is set. */
    static ArgumentTest hasAny(int index, int bits) {
        return maskedIsNot(index, bits, 0);
    }

    boolean looksAtAllBits() {
        return mask == ALL;
    }

    // Written out here and below: a record's own are made by invokedynamic, anew at each start of the JVM.
    @Override
    public boolean equals(@Nullable Object object) {
        return object instanceof ArgumentTest other
                && index == other.index
                && mask == other.mask
                && relation == other.relation
                && value == other.value;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * (31 * index + mask) + relation.hashCode()) + value;
    }
}
