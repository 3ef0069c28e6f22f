package dev.sandbox.domain.isolation;

import dev.sandbox.domain.policy.EnvironmentMode;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.verdict.Sight;
import java.util.List;

/** A mechanism that enforces policies. Safe for use by many threads at once. */
public interface IsolationBackend {
    /** Which one. */
    BackendName name();

    /** What it can do on this host; proved once by a real child, then remembered. Never throws for what the host lacks. */
    BackendAssessment assess();

    /** As {@link #assess()}, for a policy that may name what the backend needs beside: an image. */
    default BackendAssessment assess(SandboxPolicy policy) {
        return assess();
    }

    /** How a step's environment is derived here: as the policy says, unless the host's variables mean nothing inside. */
    default EnvironmentMode environmentMode(EnvironmentPolicy policy) {
        return policy.mode();
    }

    /**
     * How much of the host a step sees whose view of the file system is its own. Unless a backend says otherwise, only what is granted:
     * an answer then tells a step of no system folder that it may not have.
     */
    default Sight stepSight() {
        return Sight.STEP_IN_IMAGE;
    }

    /** What it would do; runs nothing. */
    IsolationPlan plan(SessionRequest request);

    /**
     * The system calls that would start one step, in order, for people; runs nothing. None when something else starts it, as an engine
     * does.
     *
     * @throws SandboxUnavailableException when the step could not be started
     */
    default List<String> calls(SessionRequest request, StepRequest step) {
        return List.of();
    }

    /**
     * Prepares to run commands under a policy.
     *
     * @throws SandboxUnavailableException when it cannot enforce the policy
     */
    IsolationSession open(SessionRequest request);
}
