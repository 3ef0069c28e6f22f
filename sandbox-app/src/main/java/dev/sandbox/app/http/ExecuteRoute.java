package dev.sandbox.app.http;

import dev.sandbox.app.service.Cancellation;
import dev.sandbox.app.service.ServicePolicy;
import dev.sandbox.app.service.StepJob;
import dev.sandbox.app.service.StepService;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.result.ExecutionResult;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.ExecutorService;

/** {@code POST /api/execute}. */
final class ExecuteRoute {
    private final StepService steps;
    private final ServicePolicy policy;
    private final ServiceMetrics metrics;
    private final ExecutorService streamed;
    private final int maxBody;

    ExecuteRoute(
            StepService steps, ServicePolicy policy, ServiceMetrics metrics, ExecutorService streamed, int maxBody) {
        this.steps = steps;
        this.policy = policy;
        this.metrics = metrics;
        this.streamed = streamed;
        this.maxBody = maxBody;
    }

    void serve(HttpServletRequest request, HttpServletResponse response) throws IOException {
        StepJob job;
        try {
            job = policy.job(ExecuteRequestParser.parse(RequestBody.read(request, maxBody)));
        } catch (Refusal refusal) {
            metrics.refused(refusal.code());
            throw refusal;
        } catch (SandboxException e) {
            metrics.refused(e);
            Gate.write(response, Reply.of(e));
            return;
        }
        if (wantsStream(request)) {
            new EventStream(steps, job, streamed).serve(request, response);
            return;
        }
        try {
            ExecutionResult result = steps.run(job, new Cancellation());
            note(request, result);
            Gate.write(response, Reply.of(result));
        } catch (SandboxException e) {
            Gate.write(response, Reply.of(e));
        }
    }

    static void note(HttpServletRequest request, ExecutionResult result) {
        request.setAttribute(AccessLog.TERMINATION, result.termination().id());
        request.setAttribute(AccessLog.BACKEND, result.backend().id());
    }

    private static boolean wantsStream(HttpServletRequest request) {
        String accept = request.getHeader("Accept");
        return "true".equals(request.getParameter("stream")) || (accept != null && accept.contains(EventStream.TYPE));
    }
}
