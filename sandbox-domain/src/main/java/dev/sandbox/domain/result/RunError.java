package dev.sandbox.domain.result;

import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.problem.ProblemCode;
import dev.sandbox.domain.problem.SandboxException;
import java.util.stream.Collectors;

/**
 * Why nothing ran.
 *
 * @param code the stable code
 * @param message what is wrong and where, for people, on one line
 * @param fix what to do; may be empty
 */
public record RunError(ProblemCode code, String message, String fix) {
    /** Every problem of an exception. */
    public static RunError of(SandboxException exception) {
        String message = exception.problems().stream()
                .map(problem -> new Problem(problem.where(), problem.what(), "").line())
                .collect(Collectors.joining("; also "));
        String fix = exception.problems().stream()
                .map(Problem::fix)
                .filter(text -> !text.isEmpty())
                .distinct()
                .collect(Collectors.joining("; "));
        return new RunError(exception.code(), message, fix);
    }
}
