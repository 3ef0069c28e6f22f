package dev.sandbox.domain.isolation;

import dev.sandbox.domain.problem.CommandNotStartedException;
import dev.sandbox.domain.problem.SandboxUnavailableException;

/** An enforced policy, ready to start commands. Safe for use by many threads at once. */
public interface IsolationSession extends AutoCloseable {
    /**
     * Starts a command under the policy.
     *
     * @throws SandboxUnavailableException when the enforcement failed; nothing ran
     * @throws CommandNotStartedException when the program does not exist or cannot be executed inside
     */
    SandboxedProcess start(StepRequest request);

    /** Ends every command that still runs and removes what the session made. */
    @Override
    void close();
}
