package dev.sandbox.domain.problem;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An error of the sandbox itself: nothing ran. Carries a stable code and every problem found, not only the first.
 * {@link #getMessage()} is one line that begins with the code's name and a colon.
 */
public abstract class SandboxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ProblemCode code;
    private final transient List<Problem> problems;

    SandboxException(ProblemCode code, List<Problem> problems, @Nullable Throwable cause) {
        super(code + ": " + problems.stream().map(Problem::line).collect(Collectors.joining("; also ")), cause);
        this.code = code;
        this.problems = List.copyOf(problems);
    }

    /** The stable code. */
    public ProblemCode code() {
        return code;
    }

    /** All problems, in the order in which they were found. */
    public List<Problem> problems() {
        return problems;
    }
}
