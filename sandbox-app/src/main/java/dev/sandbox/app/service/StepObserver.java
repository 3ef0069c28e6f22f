package dev.sandbox.app.service;

import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.result.ExecutionResult;

/** Hears how steps end. Called on the thread of the step; must be quick and must not throw. */
public interface StepObserver {
    /** One ran. */
    void ran(ExecutionResult result);

    /** One was refused; nothing ran. */
    void refused(SandboxException reason);
}
