package dev.sandbox.domain.isolation;

import dev.sandbox.domain.command.Command;

/**
 * One command in a session.
 *
 * @param command what to run
 * @param stdin where its input comes from
 * @param stdout where its output goes
 * @param stderr where its errors go
 */
public record StepRequest(Command command, Stdio stdin, Stdio stdout, Stdio stderr) {
    /** No input, both outputs piped. */
    public static StepRequest piped(Command command) {
        return new StepRequest(command, Stdio.NULL, Stdio.PIPE, Stdio.PIPE);
    }
}
