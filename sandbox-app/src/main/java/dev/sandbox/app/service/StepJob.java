package dev.sandbox.app.service;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import java.util.List;
import java.util.function.Consumer;

/**
 * One step to run for a client.
 *
 * @param policy what it runs under
 * @param confinement looks at the policy as it is resolved, and throws when it reaches where the client may not
 * @param command what to run
 * @param notes what else the client should know
 */
public record StepJob(SandboxPolicy policy, Consumer<ResolvedPolicy> confinement, Command command, List<String> notes) {
    public StepJob {
        notes = List.copyOf(notes);
    }
}
