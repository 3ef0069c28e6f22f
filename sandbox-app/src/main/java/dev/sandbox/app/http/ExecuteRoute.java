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
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/** {@code POST /api/execute}. */
final class ExecuteRoute {
    private final StepService steps;
    private final ServicePolicy policy;
    private final ServiceMetrics metrics;
    private final ExecutorService streamed;
    private final int maxBody;
    private final RememberedReplies remembered = new RememberedReplies(System::nanoTime);

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
        byte[] body;
        try {
            body = RequestBody.read(request, maxBody);
            job = policy.job(ExecuteRequestParser.parse(body));
        } catch (Refusal refusal) {
            metrics.refused(refusal.code());
            throw refusal;
        } catch (SandboxException e) {
            metrics.refused(e);
            Gate.write(response, Reply.of(e));
            return;
        }
        String key = request.getHeader(RememberedReplies.HEADER);
        if (wantsStream(request)) {
            if (key != null) {
                throw Refusal.badRequest(RememberedReplies.HEADER + ": is for answers that are not streamed");
            }
            new EventStream(steps, job, streamed).serve(request, response);
        } else if (key == null) {
            Gate.write(response, run(request, job));
        } else {
            serveOnce(key, body, job, request, response);
        }
    }

    private void serveOnce(
            String key, byte[] body, StepJob job, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Optional<RememberedReplies.Answer> earlier = remembered.begin(key, body);
        if (earlier.isPresent()) {
            response.setHeader("Idempotency-Replayed", "true");
            Gate.write(response, earlier.get().status(), earlier.get().body());
            return;
        }
        Reply reply;
        try {
            reply = run(request, job);
        } catch (RuntimeException | Error e) {
            // Whether it ran is not known, so it does not run again.
            remembered.remember(key, Reply.of(Refusal.brokenRun()));
            throw e;
        }
        if (reply.hasRun()) {
            remembered.remember(key, reply);
        } else {
            remembered.forget(key);
        }
        Gate.write(response, reply);
    }

    private Reply run(HttpServletRequest request, StepJob job) {
        try {
            ExecutionResult result = steps.run(job, new Cancellation());
            note(request, result);
            return Reply.of(result);
        } catch (SandboxException e) {
            Reply refused = Reply.of(e);
            return steps.isEnding() ? refused.retryAfter(StatusRoutes.ANOTHER_ANSWERS_SOON) : refused;
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
