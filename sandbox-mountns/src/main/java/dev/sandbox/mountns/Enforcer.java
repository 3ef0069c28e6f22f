package dev.sandbox.mountns;

import dev.sandbox.domain.isolation.SandboxedProcess;

/** Carries out a plan and starts one step in it, or starts nothing. */
interface Enforcer {
    /** For people: by which way. */
    String name();

    /**
     * Starts a step.
     *
     * @throws dev.sandbox.domain.problem.SandboxUnavailableException naming the mount and the errno; nothing ran
     * @throws dev.sandbox.domain.problem.CommandNotStartedException when the program does not exist inside
     */
    SandboxedProcess start(MountPlan plan, Launch launch);
}
