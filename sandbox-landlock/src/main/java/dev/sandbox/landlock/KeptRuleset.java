package dev.sandbox.landlock;

import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.FileStamps;
import dev.sandbox.linux.LinuxSyscalls;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ruleset of a session, made when it is first needed and again when another file stands at a path of its rules: a rule binds to the
 * file, which it keeps. Thread-safe.
 */
final class KeptRuleset implements AutoCloseable {
    private final RulesetPlan plan;
    private final LinuxSyscalls syscalls;
    private final FileStamps files;
    private @Nullable FileDescriptor ruleset;
    private boolean closed;

    KeptRuleset(RulesetPlan plan, LinuxSyscalls syscalls) {
        this.plan = plan;
        this.syscalls = syscalls;
        this.files = new FileStamps(
                plan.rules().stream().map(rule -> rule.path().toString()).toList(), syscalls.raw());
    }

    /**
     * A descriptor of the caller's own, for what stands there now.
     *
     * @throws dev.sandbox.domain.problem.SandboxUnavailableException naming the call, the path and the errno
     */
    synchronized FileDescriptor current() {
        if (closed) {
            throw new IllegalStateException("the session is closed");
        }
        FileDescriptor known = ruleset;
        if (known == null || !files.unchanged()) {
            forget();
            files.remember();
            known = new RulesetInstaller(syscalls).install(plan, Optional.empty());
            ruleset = known;
        }
        return syscalls.duplicate(known);
    }

    private void forget() {
        FileDescriptor old = ruleset;
        ruleset = null;
        if (old != null) {
            old.close();
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            forget();
            files.close();
        }
    }
}
