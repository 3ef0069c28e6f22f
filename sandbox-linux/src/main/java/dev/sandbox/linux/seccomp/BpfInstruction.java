package dev.sandbox.linux.seccomp;

/**
 * One {@code struct sock_filter}.
 *
 * @param code the operation
 * @param whenTrue instructions to skip when a jump's condition holds
 * @param whenFalse instructions to skip when it does not
 * @param k the operand
 */
record BpfInstruction(int code, int whenTrue, int whenFalse, int k) {
    static final int SIZE = 8;

    // include/uapi/linux/bpf_common.h
    static final int LOAD_WORD = 0x20;
    static final int JUMP = 0x05;
    static final int JUMP_EQUAL = 0x15;
    static final int JUMP_GREATER_OR_EQUAL = 0x35;
    static final int JUMP_IF_ANY_BIT = 0x45;
    static final int AND = 0x54;
    static final int RETURN = 0x06;

    String text(int at) {
        return switch (code) {
            case LOAD_WORD -> "ld [" + k + "]";
            case JUMP -> "ja " + (at + 1 + k);
            case JUMP_EQUAL -> jump("jeq", at);
            case JUMP_GREATER_OR_EQUAL -> jump("jge", at);
            case JUMP_IF_ANY_BIT -> jump("jset", at);
            case AND -> "and " + hex();
            case RETURN -> "ret " + hex();
            default -> throw new IllegalStateException("the assembler makes no instruction of code " + code);
        };
    }

    private String jump(String name, int at) {
        return name + " " + hex() + ", " + (at + 1 + whenTrue) + ", " + (at + 1 + whenFalse);
    }

    private String hex() {
        return "0x" + Integer.toHexString(k);
    }
}
