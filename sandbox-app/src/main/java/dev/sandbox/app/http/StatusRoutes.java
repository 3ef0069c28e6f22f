package dev.sandbox.app.http;

import dev.sandbox.app.config.AssessmentDocument;
import dev.sandbox.app.config.Enforcement;
import dev.sandbox.app.config.Nearest;
import dev.sandbox.app.config.PolicyDocument;
import dev.sandbox.app.config.VerdictDocument;
import dev.sandbox.app.service.CurrentSandbox;
import dev.sandbox.app.service.SandboxHealth;
import dev.sandbox.app.service.ServicePolicy;
import dev.sandbox.app.service.StepService;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.isolation.RunningStep;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.verdict.Operation;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the routes tell that run nothing. */
final class StatusRoutes {
    /** Seconds until whoever sends requests on to several servers has left out the one that ends. */
    static final int ANOTHER_ANSWERS_SOON = 1;

    private final CurrentSandbox sandbox;
    private final ServicePolicy policy;
    private final SandboxHealth health;
    private final StepService steps;
    private final RecentRuns runs;

    StatusRoutes(
            CurrentSandbox sandbox, ServicePolicy policy, SandboxHealth health, StepService steps, RecentRuns runs) {
        this.sandbox = sandbox;
        this.policy = policy;
        this.health = health;
        this.steps = steps;
        this.runs = runs;
    }

    Reply health() {
        SandboxHealth.State state = steps.isEnding()
                ? new SandboxHealth.State(Optional.empty(), "the server is shutting down")
                : health.state();
        Map<String, Object> shell = new LinkedHashMap<>();
        shell.put("available", state.isAvailable());
        shell.put("backend", state.backend().map(BackendName::id).orElse(null));
        shell.put("detail", state.detail());
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("status", state.isAvailable() ? "healthy" : "degraded");
        document.put("service", "sandbox");
        document.put("shell_sandbox", shell);
        return new Reply(state.isAvailable() ? 200 : 503, document, steps.isEnding() ? ANOTHER_ANSWERS_SOON : 0);
    }

    static Reply live() {
        return new Reply(200, Map.of("status", "live"), 0);
    }

    Reply processes() {
        return new Reply(
                200,
                Map.of(
                        "processes",
                        steps.running().stream().map(StatusRoutes::document).toList()),
                0);
    }

    private static Map<String, Object> document(RunningStep step) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", step.id());
        document.put("command", step.command());
        document.put("backend", step.backend().id());
        document.put("pid", step.pid());
        document.put("age_ms", step.age().toMillis());
        return document;
    }

    Reply end(String id) {
        if (!id.matches("[0-9]{1,18}") || !steps.cancel(Long.parseLong(id))) {
            throw Refusal.notFound("no step of this id runs");
        }
        return new Reply(200, Map.of("id", Long.parseLong(id), "cancelled", true), 0);
    }

    Reply guarantees() {
        List<Map<String, Object>> backends = sandbox.get().backends().stream()
                .map(IsolationBackend::assess)
                .map(AssessmentDocument::of)
                .toList();
        return new Reply(200, Map.of("backends", backends), 0);
    }

    Reply runs() {
        return new Reply(200, Map.of("runs", runs.list()), 0);
    }

    /** The default policy: what it gives, and how long a step may take that runs under it. */
    Reply policy() {
        StandardSandbox current = sandbox.get();
        ResolvedPolicy resolved = current.resolve(policy.standard());
        Map<String, Object> document = PolicyDocument.of(resolved, Enforcement.of(current, resolved));
        document.put("default_timeout_ms", policy.unasked().toMillis());
        document.put("max_timeout_ms", policy.most().toMillis());
        return new Reply(200, document, 0);
    }

    /** The verdict of the default policy. */
    Reply explain(@Nullable String path, @Nullable String operation) {
        if (path == null || path.isEmpty()) {
            throw Refusal.badRequest("path: is missing");
        }
        StandardSandbox current = sandbox.get();
        ResolvedPolicy resolved = current.resolve(policy.standard());
        AbsolutePath asked;
        try {
            asked = resolved.baseDir().resolve(path);
        } catch (IllegalArgumentException e) {
            throw Refusal.badRequest("path: \"" + path + "\" " + e.getMessage());
        }
        return new Reply(
                200,
                VerdictDocument.of(
                        current.stepOracle(resolved).decide(asked, operation(operation == null ? "read" : operation)),
                        Enforcement.of(current, resolved)),
                0);
    }

    private static Operation operation(String id) {
        return Arrays.stream(Operation.values())
                .filter(operation -> operation.id().equals(id))
                .findFirst()
                .orElseThrow(() -> Refusal.badRequest("operation: \"" + id + "\" is not known; "
                        + Nearest.hint(
                                "",
                                Arrays.stream(Operation.values())
                                        .map(Operation::id)
                                        .toList(),
                                id)));
    }
}
