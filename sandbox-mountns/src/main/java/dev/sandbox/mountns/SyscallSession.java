package dev.sandbox.mountns;

import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.linux.FileDescriptor;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one root for as long as the plan and the host's files in it are the same. A step has a copy of its mounts, so it needs it only to
 * start. The private directories, and so what steps leave in /tmp, go from one root to the next.
 */
final class SyscallSession implements EnforcerSession {
    private final SyscallEnforcer enforcer;
    private @Nullable FileDescriptor root;
    private @Nullable Furnishing furnishing;
    private boolean closed;

    SyscallSession(SyscallEnforcer enforcer) {
        this.enforcer = enforcer;
    }

    @Override
    public SandboxedProcess start(MountPlan plan, Launch launch) {
        try (FileDescriptor own = root(enforcer.furnishing(plan))) {
            return enforcer.start(own, plan, launch);
        }
    }

    /** Of the caller's own: another thread may come to replace it. */
    private synchronized FileDescriptor root(Furnishing wanted) {
        if (closed) {
            throw new IllegalStateException("the session is closed");
        }
        FileDescriptor current = root;
        if (current == null || !wanted.equals(furnishing)) {
            FileDescriptor next = enforcer.build(wanted.plan(), Optional.ofNullable(current));
            retire();
            current = next;
            root = current;
            furnishing = wanted;
        }
        return enforcer.duplicate(current);
    }

    private void retire() {
        FileDescriptor old = root;
        root = null;
        if (old != null) {
            old.close();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        retire();
    }
}
