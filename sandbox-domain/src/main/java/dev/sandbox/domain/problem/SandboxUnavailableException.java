package dev.sandbox.domain.problem;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** No backend can enforce the policy here, or the chosen one failed while it was set up. The command never started. */
public final class SandboxUnavailableException extends SandboxException {
    private static final long serialVersionUID = 1L;

    public SandboxUnavailableException(List<Problem> problems) {
        super(ProblemCode.SANDBOX_UNAVAILABLE, problems, null);
    }

    public SandboxUnavailableException(String where, String what, String fix) {
        this(List.of(new Problem(where, what, fix)));
    }

    public SandboxUnavailableException(String where, String what, String fix, @Nullable Throwable cause) {
        super(ProblemCode.SANDBOX_UNAVAILABLE, List.of(new Problem(where, what, fix)), cause);
    }
}
