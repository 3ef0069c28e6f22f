package dev.sandbox.domain.problem;

import java.util.List;

/** The policy contradicts itself, names what it may not, or cannot be read. */
public final class PolicyInvalidException extends SandboxException {
    private static final long serialVersionUID = 1L;

    public PolicyInvalidException(List<Problem> problems) {
        super(ProblemCode.POLICY_INVALID, problems, null);
    }

    public PolicyInvalidException(String where, String what, String fix) {
        this(List.of(new Problem(where, what, fix)));
    }
}
