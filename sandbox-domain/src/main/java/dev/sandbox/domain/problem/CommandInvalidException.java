package dev.sandbox.domain.problem;

import java.util.List;

/** The command is empty, holds a NUL, or is longer than Linux takes. */
public final class CommandInvalidException extends SandboxException {
    private static final long serialVersionUID = 1L;

    public CommandInvalidException(String what) {
        super(ProblemCode.COMMAND_INVALID, List.of(new Problem("", what, "")), null);
    }
}
