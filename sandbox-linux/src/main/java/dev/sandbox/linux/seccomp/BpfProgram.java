package dev.sandbox.linux.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A classic BPF program as seccomp takes it. Immutable.
 *
 * @see <a href="https://www.kernel.org/doc/html/latest/networking/filter.html">Linux socket filtering</a>
 */
public final class BpfProgram {
    private final List<BpfInstruction> instructions;

    BpfProgram(List<BpfInstruction> instructions) {
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
}
