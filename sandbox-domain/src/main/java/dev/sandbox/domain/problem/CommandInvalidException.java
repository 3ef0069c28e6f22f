package dev.sandbox.domain.problem;

import java.util.List;

/** The command is empty or holds a NUL. */
public final class CommandInvalidException extends SandboxException {
    private static final long serialVersionUID = 1L;

    public CommandInvalidException(String what) {
        super(ProblemCode.COMMAND_INVALID, List.of(new Problem("", what, "")), null);
    }
}
