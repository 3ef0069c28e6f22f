package dev.sandbox.mountns;

import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.OwnedProcess;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.linux.HostPlaceholders;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Starts commands under one policy. The plan is made anew for each: a blocked path that has come into being since the last step is
 * then masked as what it is.
 */
final class MountNamespaceSession implements IsolationSession {
    private final SessionRequest request;
    private final PlanSource plans;
    private final HostPlaceholders placeholders;
    private final MountNamespace namespace;
    private final Set<OwnedProcess> started = ConcurrentHashMap.newKeySet();

    MountNamespaceSession(
            SessionRequest request, PlanSource plans, HostPlaceholders placeholders, MountNamespace namespace) {
        this.request = request;
        this.plans = plans;
        this.placeholders = placeholders;
        this.namespace = namespace;
    }

    @Override
    public SandboxedProcess start(StepRequest step) {
        started.removeIf(OwnedProcess::isClosed);
        MountPlan plan = plans.plan(request.policy());
        Runnable release = placeholders.hold(plan.hostPlaceholders());
        try {
            OwnedProcess process = new OwnedProcess(namespace.start(plan, request, step), release);
            started.add(process);
            return process;
        } catch (RuntimeException | Error e) {
            release.run();
            throw e;
        }
    }

    @Override
    public void close() {
        started.forEach(OwnedProcess::close);
        namespace.close();
        plans.close();
    }
}
