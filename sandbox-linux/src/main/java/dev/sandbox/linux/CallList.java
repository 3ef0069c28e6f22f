package dev.sandbox.linux;

import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.spawn.Entry;
import dev.sandbox.linux.spawn.Spawner;
import dev.sandbox.linux.spawn.SyscallProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The system calls that would start a step: the very program that a start carries out, which is made and not carried out. */
public final class CallList {
    private CallList() {}

    /**
     * The list for one step.
     *
     * @param open opens a session whose steps are started by a given spawn
     * @return one line a call, those of a child indented below its clone
     * @throws SandboxUnavailableException when the step could not be started
     */
    public static List<String> of(Function<ConfinedSpawn, ? extends IsolationSession> open, StepRequest step) {
        List<String> lines = new ArrayList<>();
        Spawner spawner = Spawner.listing(clone -> lines.addAll(lines(clone)));
        try (IsolationSession session = open.apply(new ConfinedSpawn(spawner));
                SandboxedProcess process = session.start(step)) {
            throw new IllegalStateException("nothing should run, and a child does: " + process.pid());
        } catch (SandboxUnavailableException e) {
            if (lines.isEmpty()) {
                throw e;
            }
            return List.copyOf(lines);
        }
    }

    private static List<String> lines(Entry.Clone clone) {
        return SyscallProgram.named("step").child(clone).build().lines();
    }
}
