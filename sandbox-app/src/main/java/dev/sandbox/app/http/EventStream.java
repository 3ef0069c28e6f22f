package dev.sandbox.app.http;

import dev.sandbox.app.config.ResultDocument;
import dev.sandbox.app.service.Cancellation;
import dev.sandbox.app.service.StepJob;
import dev.sandbox.app.service.StepService;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.result.ExecutionResult;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One step as server-sent events: {@code stdout} and {@code stderr} with a text, then {@code result} or {@code error}. The step runs
 * on another thread and never waits for the client: its output is bounded by the policy, and kept until the client takes it. A
 * client that went away, which a comment every few seconds finds out, ends the step.
 */
final class EventStream {
    static final String TYPE = "text/event-stream";
    private static final int HEARTBEAT_MILLIS = 2000;

    private final StepService steps;
    private final StepJob job;
    private final ExecutorService threads;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    private record Event(
            String name,
            Map<String, Object> data,
            @Nullable ExecutionResult result,
            @Nullable Reply refusal) {
        static Event of(String name, String text) {
            return new Event(name, Map.of("text", text), null, null);
        }

        boolean isLast() {
            return result != null || refusal != null;
        }
    }

    EventStream(StepService steps, StepJob job, ExecutorService threads) {
        this.steps = steps;
        this.job = job;
        this.threads = threads;
    }

    void serve(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Cancellation cancellation = new Cancellation();
        try {
            threads.execute(() -> run(cancellation));
        } catch (RejectedExecutionException e) {
            Gate.write(response, new Reply(429, Reply.refusal("SANDBOX_BUSY", "too many streams at once"), 1));
            return;
        }
        try {
            forward(request, response);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            cancellation.cancel();
        }
    }

    private void run(Cancellation cancellation) {
        long limit = job.policy().limits().output();
        StreamedText stdout = new StreamedText(limit, text -> events.add(Event.of("stdout", text)));
        StreamedText stderr = new StreamedText(limit, text -> events.add(Event.of("stderr", text)));
        Event last;
        try {
            ExecutionResult result = steps.run(job, cancellation, stdout, stderr);
            stdout.finish();
            stderr.finish();
            ExecutionResult told = ExecutionResult.builder()
                    .from(result)
                    .stdoutTruncated(stdout.isTruncated())
                    .stderrTruncated(stderr.isTruncated())
                    .build();
            last = new Event("result", Reply.of(told).document(), told, null);
        } catch (SandboxException e) {
            Reply refusal = Reply.of(e);
            last = new Event("error", refusal.document(), null, refusal);
        } catch (RuntimeException e) {
            Reply failed = new Reply(500, Reply.refusal("INTERNAL", "the server failed"), 0);
            last = new Event("error", failed.document(), null, failed);
        }
        events.add(last);
    }

    /** Until the step has said or ended something, a refusal can still be told by its status. */
    private void forward(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        Event event = events.poll(HEARTBEAT_MILLIS, TimeUnit.MILLISECONDS);
        if (event != null && event.refusal() != null) {
            Gate.write(response, event.refusal());
            return;
        }
        response.setStatus(HttpServletResponse.SC_OK);
        response.setContentType(TYPE);
        response.setCharacterEncoding("UTF-8");
        response.setHeader("X-Accel-Buffering", "no");
        OutputStream out = response.getOutputStream();
        while (true) {
            write(out, event);
            if (event != null && event.isLast()) {
                if (event.result() != null) {
                    ExecuteRoute.note(request, event.result());
                }
                return;
            }
            event = events.poll(HEARTBEAT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private static void write(OutputStream out, @Nullable Event event) throws IOException {
        String text = event == null
                ? ": still running\n\n"
                : "event: " + event.name() + "\ndata: " + ResultDocument.render(event.data()) + "\n\n";
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
