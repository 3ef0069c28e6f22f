package dev.sandbox.linux;

import dev.sandbox.linux.spawn.Entry;
import dev.sandbox.linux.spawn.Slot;
import dev.sandbox.linux.spawn.SpawnReport;
import dev.sandbox.linux.spawn.SpawnTimeoutException;
import dev.sandbox.linux.spawn.Spawner;
import dev.sandbox.linux.spawn.SyscallProgram;
import dev.sandbox.linux.uapi.Sched;
import dev.sandbox.linux.uapi.Signals;
import java.time.Duration;
import java.util.Optional;

/** Makes a user namespace, for diagnosis: sysctls, AppArmor and a surrounding seccomp filter can each forbid it. */
public final class UserNamespaceProbe {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private UserNamespaceProbe() {}

    /** Absent when one could be made, else why not. */
    public static Optional<String> failure() {
        SyscallProgram nothing = SyscallProgram.named("probe").build();
        Entry.Clone clone = new Entry.Clone(
                "make a user namespace",
                Sched.CLONE_NEWUSER | Signals.SIGCHLD,
                nothing,
                Slot.named("probe.pid"),
                Optional.empty());
        try (SpawnReport report = new Spawner().spawn(clone, PATIENCE)) {
            return report.failure().map(failure -> Errno.describe(failure.errno()));
        } catch (SpawnTimeoutException e) {
            return Optional.ofNullable(e.getMessage());
        }
    }
}
