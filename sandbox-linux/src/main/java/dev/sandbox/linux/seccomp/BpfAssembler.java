package dev.sandbox.linux.seccomp;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a program from its last instruction to its first. The kernel wants every jump to go forward, so what an instruction goes to
 * is there before it. An instruction that was written before is not written again, unless it is out of a jump's reach; so all paths
 * share their verdicts, and equal ends of paths.
 *
 * <p>Each method but {@link #program} returns the place of an instruction, to be given to those before it.
 */
final class BpfAssembler {
    /** BPF_MAXINSNS of include/uapi/linux/bpf_common.h. */
    private static final int MOST_INSTRUCTIONS = 4096;

    /** A conditional jump has 8 bits for each way. */
    private static final int LONGEST_JUMP = 255;

    private static final int NOWHERE = -1;

    /** An instruction by where it goes to. */
    private record Line(int code, int k, int whenTrue, int whenFalse) {
        // Written out here and below: a record's own are made by invokedynamic, anew at each start of the JVM.
        @Override
        public boolean equals(@Nullable Object object) {
            return object instanceof Line other
                    && code == other.code
                    && k == other.k
                    && whenTrue == other.whenTrue
                    && whenFalse == other.whenFalse;
        }

        @Override
        public int hashCode() {
            return 31 * (31 * (31 * code + k) + whenTrue) + whenFalse;
        }
    }

    /** The last one comes first. */
    private final List<BpfInstruction> backwards = new ArrayList<>();

    private final Map<Line, Integer> places = new HashMap<>();

    /** Ends with this verdict. */
    int ret(int verdict) {
        Line line = new Line(BpfInstruction.RETURN, verdict, NOWHERE, NOWHERE);
        Integer known = places.get(line);
        return known != null ? known : write(line, new BpfInstruction(BpfInstruction.RETURN, 0, 0, verdict));
    }

    /** Loads the 32-bit word at that offset of {@code struct seccomp_data} and goes on. */
    int load(int offset, int next) {
        return straight(BpfInstruction.LOAD_WORD, offset, next);
    }

    /** Keeps these bits of the loaded word and goes on. */
    int and(int mask, int next) {
        return straight(BpfInstruction.AND, mask, next);
    }

    /** Whether the loaded word is this. */
    int ifEqual(int value, int whenTrue, int whenFalse) {
        return branch(BpfInstruction.JUMP_EQUAL, value, whenTrue, whenFalse);
    }

    /** Whether the loaded word, unsigned, is this or more. */
    int ifAtLeast(int value, int whenTrue, int whenFalse) {
        return branch(BpfInstruction.JUMP_GREATER_OR_EQUAL, value, whenTrue, whenFalse);
    }

    /** Whether the loaded word has one of these bits or more. */
    int ifAnyBit(int bits, int whenTrue, int whenFalse) {
        return branch(BpfInstruction.JUMP_IF_ANY_BIT, bits, whenTrue, whenFalse);
    }

    /**
     * The program that begins at that place, which is the one that was written last.
     *
     * @throws IllegalStateException when it begins elsewhere or is longer than the kernel takes
     */
    BpfProgram program(int first) {
        if (first != backwards.size() - 1 || backwards.size() > MOST_INSTRUCTIONS) {
            throw new IllegalStateException(
                    "a program of " + backwards.size() + " instructions that begins at its end's " + first);
        }
        List<BpfInstruction> forwards = new ArrayList<>(backwards);
        Collections.reverse(forwards);
        return new BpfProgram(forwards);
    }

    private int straight(int code, int k, int next) {
        Line line = new Line(code, k, next, NOWHERE);
        Integer known = places.get(line);
        if (known != null) {
            return known;
        }
        within(next, 0);
        return write(line, new BpfInstruction(code, 0, 0, k));
    }

    private int branch(int code, int k, int whenTrue, int whenFalse) {
        if (whenTrue == whenFalse) {
            return whenTrue;
        }
        Line line = new Line(code, k, whenTrue, whenFalse);
        Integer known = places.get(line);
        if (known != null) {
            return known;
        }
        // One less, since the other way may take an instruction too.
        int near = within(whenTrue, LONGEST_JUMP - 1);
        int other = within(whenFalse, LONGEST_JUMP);
        return write(line, new BpfInstruction(code, distance(near), distance(other), k));
    }

    /** A place that does the same as the target and is at most so far from the next instruction. */
    private int within(int target, int longest) {
        if (distance(target) <= longest) {
            return target;
        }
        BpfInstruction there = backwards.get(target);
        boolean verdict = there.code() == BpfInstruction.RETURN;
        Line line = verdict
                ? new Line(BpfInstruction.RETURN, there.k(), NOWHERE, NOWHERE)
                : new Line(BpfInstruction.JUMP, 0, target, NOWHERE);
        Integer known = places.get(line);
        if (known != null && distance(known) <= longest) {
            return known;
        }
        return write(line, verdict ? there : new BpfInstruction(BpfInstruction.JUMP, 0, 0, distance(target)));
    }

    /** What the next instruction skips to come there. */
    private int distance(int target) {
        if (target < 0 || target >= backwards.size()) {
            throw new IllegalArgumentException("nothing is at " + target);
        }
        return backwards.size() - 1 - target;
    }

    private int write(Line line, BpfInstruction instruction) {
        backwards.add(instruction);
        places.put(line, backwards.size() - 1);
        return backwards.size() - 1;
    }
}
