package dev.sandbox.linux.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A classic BPF program as seccomp takes it. Immutable.
 *
 * @see <a href="https://www.kernel.org/doc/html/latest/networking/filter.html">Linux socket filtering</a>
 */
public final class BpfProgram {
    /** BPF_MAXINSNS of include/uapi/linux/bpf_common.h. */
    private static final int MOST_INSTRUCTIONS = 4096;

    private static final int LONGEST_JUMP = 255;

    private final List<BpfInstruction> instructions;

    private BpfProgram(List<BpfInstruction> instructions) {
        this.instructions = List.copyOf(instructions);
    }

    /** How many instructions it has. */
    public int length() {
        return instructions.size();
    }

    /** The program as an array of {@code struct sock_filter}, little-endian. */
    public byte[] encode() {
        ByteBuffer bytes =
                ByteBuffer.allocate(instructions.size() * BpfInstruction.SIZE).order(ByteOrder.LITTLE_ENDIAN);
        for (BpfInstruction i : instructions) {
            bytes.putShort((short) i.code())
                    .put((byte) i.whenTrue())
                    .put((byte) i.whenFalse())
                    .putInt(i.k());
        }
        return bytes.array();
    }

    /** One line per instruction, for people and golden files: {@code 2: jeq 0x29, 5, 3}. */
    public String disassemble() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < instructions.size(); i++) {
            text.append(i).append(": ").append(instructions.get(i).text(i)).append('\n');
        }
        return text.toString();
    }

    static Assembler assembler() {
        return new Assembler();
    }

    /** Writes a program with named targets. Jumps go forward only, as the kernel wants it. */
    static final class Assembler {
        private record Line(int code, int k, String whenTrue, String whenFalse) {}

        private static final String NEXT = "";

        private final List<Line> lines = new ArrayList<>();
        private final Map<String, Integer> labels = new HashMap<>();

        /** The next instruction is the target of jumps to this name. */
        Assembler label(String name) {
            if (labels.putIfAbsent(name, lines.size()) != null) {
                throw new IllegalArgumentException("label " + name + " stands twice");
            }
            return this;
        }

        /** Loads the 32-bit word at that offset of {@code struct seccomp_data}. */
        Assembler load(int offset) {
            return add(new Line(BpfInstruction.LOAD_WORD, offset, NEXT, NEXT));
        }

        /** Keeps these bits of the loaded word. */
        Assembler and(int mask) {
            return add(new Line(BpfInstruction.AND, mask, NEXT, NEXT));
        }

        /** Goes to the label when the loaded word is this. */
        Assembler jumpIfEqual(int value, String label) {
            return add(new Line(BpfInstruction.JUMP_EQUAL, value, label, NEXT));
        }

        /** Goes to the label when the loaded word is not this. */
        Assembler jumpUnlessEqual(int value, String label) {
            return add(new Line(BpfInstruction.JUMP_EQUAL, value, NEXT, label));
        }

        /** Goes to the label when the loaded word, unsigned, is this or more. */
        Assembler jumpIfAtLeast(int value, String label) {
            return add(new Line(BpfInstruction.JUMP_GREATER_OR_EQUAL, value, label, NEXT));
        }

        /** Goes to the label when the loaded word, unsigned, is less than this. */
        Assembler jumpUnlessAtLeast(int value, String label) {
            return add(new Line(BpfInstruction.JUMP_GREATER_OR_EQUAL, value, NEXT, label));
        }

        /** Goes to the label, however far it is. */
        Assembler jump(String label) {
            return add(new Line(BpfInstruction.JUMP, 0, label, NEXT));
        }

        /** Ends with this verdict. */
        Assembler ret(int verdict) {
            return add(new Line(BpfInstruction.RETURN, verdict, NEXT, NEXT));
        }

        private Assembler add(Line line) {
            lines.add(line);
            return this;
        }

        /**
         * Resolves the labels.
         *
         * @throws IllegalStateException when a label is missing, behind or too far, or the program does not end in a verdict
         */
        BpfProgram assemble() {
            if (lines.isEmpty() || lines.size() > MOST_INSTRUCTIONS || last().code != BpfInstruction.RETURN) {
                throw new IllegalStateException("a program has 1 to 4096 instructions and ends in a return");
            }
            List<BpfInstruction> result = new ArrayList<>();
            for (int i = 0; i < lines.size(); i++) {
                Line line = lines.get(i);
                result.add(
                        line.code == BpfInstruction.JUMP
                                ? new BpfInstruction(line.code, 0, 0, distance(i, line.whenTrue, MOST_INSTRUCTIONS))
                                : new BpfInstruction(
                                        line.code,
                                        distance(i, line.whenTrue, LONGEST_JUMP),
                                        distance(i, line.whenFalse, LONGEST_JUMP),
                                        line.k));
            }
            return new BpfProgram(result);
        }

        private Line last() {
            return lines.get(lines.size() - 1);
        }

        private int distance(int from, String label, int longest) {
            if (label.equals(NEXT)) {
                return 0;
            }
            int distance = labels.getOrDefault(label, -1) - from - 1;
            if (distance < 0 || distance > longest || from + 1 + distance >= lines.size()) {
                throw new IllegalStateException("label " + label + " is missing, behind or too far");
            }
            return distance;
        }
    }
}
