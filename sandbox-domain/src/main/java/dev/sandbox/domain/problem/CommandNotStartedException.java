package dev.sandbox.domain.problem;

import java.util.List;

/**
 * The sandbox stood, but the program could not be executed in it: {@link ProblemCode#COMMAND_NOT_FOUND} (a shell's 127) or
 * {@link ProblemCode#COMMAND_NOT_EXECUTABLE} (126).
 */
public final class CommandNotStartedException extends SandboxException {
    private static final long serialVersionUID = 1L;

    private CommandNotStartedException(ProblemCode code, String program, String what, String fix) {
        super(code, List.of(new Problem(program, what, fix)), null);
    }

    /** The program is nowhere on the step's PATH, or its path does not exist. */
    public static CommandNotStartedException notFound(String program, String what) {
        return notFound(program, what, "");
    }

    /** The same, when it is known what would let the step find it. */
    public static CommandNotStartedException notFound(String program, String what, String fix) {
        return new CommandNotStartedException(ProblemCode.COMMAND_NOT_FOUND, program, what, fix);
    }

    /** The program exists and the kernel refuses to execute it. */
    public static CommandNotStartedException notExecutable(String program, String what) {
        return new CommandNotStartedException(ProblemCode.COMMAND_NOT_EXECUTABLE, program, what, "");
    }

    /** The exit code a shell gives for this: 127 or 126. */
    public int exitCode() {
        return code() == ProblemCode.COMMAND_NOT_FOUND ? 127 : 126;
    }
}
