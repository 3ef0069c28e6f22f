package dev.sandbox.domain.isolation;

import dev.sandbox.domain.command.Command;

/**
 * One command in a session.
 *
 * @param command what to run
 * @param stdin where its input comes from
 * @param stdout where its output goes
 * @param stderr where its errors go
 * @param window the size of its terminal; not looked at without one
 */
public record StepRequest(Command command, Stdio stdin, Stdio stdout, Stdio stderr, WindowSize window) {
    public StepRequest {
        boolean terminal = stdin == Stdio.TERMINAL;
        if (terminal != (stdout == Stdio.TERMINAL) || terminal != (stderr == Stdio.TERMINAL)) {
            throw new IllegalArgumentException("a terminal is all three standard streams, or none");
        }
        if (stdin == Stdio.MERGED || stdout == Stdio.MERGED) {
            throw new IllegalArgumentException("only standard error can be merged, into standard output");
        }
    }

    /** One without a terminal. */
    public StepRequest(Command command, Stdio stdin, Stdio stdout, Stdio stderr) {
        this(command, stdin, stdout, stderr, WindowSize.USUAL);
    }

    /** On a terminal of its own. Standard error is not told from standard output there. */
    public static StepRequest terminal(Command command, WindowSize window) {
        return new StepRequest(command, Stdio.TERMINAL, Stdio.TERMINAL, Stdio.TERMINAL, window);
    }

    /** No input, one pipe for both outputs. */
    public static StepRequest merged(Command command) {
        return new StepRequest(command, Stdio.NULL, Stdio.PIPE, Stdio.MERGED);
    }

    /** No input, both outputs piped. */
    public static StepRequest piped(Command command) {
        return new StepRequest(command, Stdio.NULL, Stdio.PIPE, Stdio.PIPE);
    }
}
