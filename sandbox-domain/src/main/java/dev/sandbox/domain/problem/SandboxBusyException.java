package dev.sandbox.domain.problem;

import java.util.List;

/** Too many steps run already. Nothing ran; the same may succeed later. */
public final class SandboxBusyException extends SandboxException {
    private static final long serialVersionUID = 1L;

    public SandboxBusyException(String what) {
        super(ProblemCode.SANDBOX_BUSY, List.of(new Problem("", what, "try again later")), null);
    }
}
