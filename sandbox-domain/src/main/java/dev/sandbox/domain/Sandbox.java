package dev.sandbox.domain;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.OwnedProcess;
import dev.sandbox.domain.isolation.RunningStep;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.CommandNotStartedException;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.result.ExecutionResult;
import java.util.List;
import java.util.Objects;

/**
 * Runs commands that nobody here wrote, so that the kernel enforces a policy. Start reading here; the way of a command is
 *
 * <pre>
 * SandboxPolicy -> PolicyResolver -> ResolvedPolicy -> BackendSelector -> backend: planner -> plan -> enforcer -> process -> result
 * </pre>
 *
 * Nothing ever runs outside a sandbox because something failed. Safe for use by many threads at once.
 */
public interface Sandbox {
    /**
     * Runs one command to its end and captures its output, on the calling thread.
     *
     * @throws NullPointerException when an argument is null; its message says which
     * @throws PolicyInvalidException when the policy is wrong; nothing ran
     * @throws SandboxUnavailableException when nothing here can enforce it; nothing ran
     */
    default ExecutionResult run(SandboxPolicy policy, Command command) {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(command, "command");
        try (SandboxSession session = open(policy)) {
            return session.run(command);
        }
    }

    /**
     * Starts one command; the caller moves its streams and closes it.
     *
     * @throws CommandNotStartedException when the program does not exist or cannot be executed inside
     */
    default SandboxedProcess start(SandboxPolicy policy, Command command) {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(command, "command");
        SandboxSession session = open(policy);
        try {
            return new OwnedProcess(session.start(StepRequest.piped(command)), session::close);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /** Resolves, selects and prepares once, to run many commands under the same policy. */
    SandboxSession open(SandboxPolicy policy);

    /** What runs now in all sessions of this sandbox, the oldest first. A step runs until it is closed. */
    List<RunningStep> running();

    /** Asks a running step to end as {@code CANCELLED}; false when none of that id runs. */
    boolean cancel(long id);
}
