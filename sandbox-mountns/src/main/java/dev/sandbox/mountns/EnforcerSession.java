package dev.sandbox.mountns;

import dev.sandbox.domain.isolation.SandboxedProcess;

/** Starts steps; what it keeps between them goes when it is closed, and what still runs then with it. Thread-safe. */
interface EnforcerSession extends AutoCloseable {
    /**
     * Carries out a plan and starts one step in it, or starts nothing.
     *
     * @throws dev.sandbox.domain.problem.SandboxUnavailableException naming the mount and the errno; nothing ran
     * @throws dev.sandbox.domain.problem.CommandNotStartedException when the program does not exist inside
     */
    SandboxedProcess start(MountPlan plan, Launch launch);

    @Override
    void close();
}
