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
    private final EnforcerSession enforcer;
    private final Set<OwnedProcess> started = ConcurrentHashMap.newKeySet();

    MountNamespaceSession(
            SessionRequest request, PlanSource plans, HostPlaceholders placeholders, EnforcerSession enforcer) {
        this.request = request;
        this.plans = plans;
        this.placeholders = placeholders;
        this.enforcer = enforcer;
    }

    @Override
    public SandboxedProcess start(StepRequest step) {
        started.removeIf(OwnedProcess::isClosed);
        MountPlan plan = plans.plan(request.policy());
        Launch launch = Launch.of(
                step,
                request.environment().variables(),
                request.environment().searchPath(),
                request.policy().policy().limits());
        Runnable release = placeholders.hold(plan.hostPlaceholders());
        try {
            OwnedProcess process = new OwnedProcess(enforcer.start(plan, launch), release);
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
        enforcer.close();
    }
}
