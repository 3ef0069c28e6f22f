package dev.sandbox.mountns;

import dev.sandbox.domain.isolation.OwnedProcess;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps one room for as long as the plan and the host's files in it are the same; a step that still runs keeps the room it is in. */
final class ScriptSession implements EnforcerSession {
    private final RoomBuilder builder;
    private final StepEntry entry;
    private final Map<Room, Integer> steps = new HashMap<>();
    private @Nullable Room current;
    private @Nullable Furnishing furnishing;
    private boolean closed;

    ScriptSession(RoomBuilder builder, StepEntry entry) {
        this.builder = builder;
        this.entry = entry;
    }

    @Override
    public SandboxedProcess start(MountPlan plan, Launch launch) {
        plan.runAs().ifPresent(identity -> {
            throw new SandboxUnavailableException(
                    "mountns",
                    "cannot run a step as " + identity + " in a user namespace; nothing ran",
                    "remove run_as");
        });
        Room room = enter(builder.furnishing(plan));
        try {
            return new OwnedProcess(entry.start(room, plan, launch), () -> leave(room));
        } catch (RuntimeException | Error e) {
            leave(room);
            throw e;
        }
    }

    private synchronized Room enter(Furnishing wanted) {
        if (closed) {
            throw new IllegalStateException("the session is closed");
        }
        Room room = current;
        if (room == null || !wanted.equals(furnishing) || !room.isAlive()) {
            retire();
            room = builder.build(wanted);
            current = room;
            furnishing = wanted;
        }
        steps.merge(room, 1, Integer::sum);
        return room;
    }

    private synchronized void leave(Room room) {
        int left = steps.merge(room, -1, Integer::sum);
        if (left == 0) {
            steps.remove(room);
            if (room != current) {
                room.close();
            }
        }
    }

    private void retire() {
        Room old = current;
        current = null;
        if (old != null && !steps.containsKey(old)) {
            old.close();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        retire();
    }
}
