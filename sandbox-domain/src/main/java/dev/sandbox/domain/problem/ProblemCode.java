package dev.sandbox.domain.problem;

/** The stable names under which errors of the sandbox itself are told; a command's own failure is none of these. */
public enum ProblemCode {
    /** The policy contradicts itself, names what it may not, or cannot be read. */
    POLICY_INVALID,
    /** No backend can enforce this policy here; nothing ran. */
    SANDBOX_UNAVAILABLE,
    /** Too many steps run already; nothing ran. */
    SANDBOX_BUSY,
    /** The command is empty, holds a NUL, or is longer than Linux takes. */
    COMMAND_INVALID,
    /** The program does not exist where the step may look for it (exit code 127). */
    COMMAND_NOT_FOUND,
    /** The program exists and cannot be executed (exit code 126). */
    COMMAND_NOT_EXECUTABLE,
    /** The caller ended the run before its command started (exit code 128+N for signal N). */
    CANCELLED,
    /** The command line is wrong. */
    USAGE
}
