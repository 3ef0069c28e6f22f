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
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One step as server-sent events: {@code stdout} and {@code stderr} with a text, then {@code result} or {@code error}. The step runs
 * on another thread. Its output is passed on whole: a client that is slow holds back the step, not the clock of its timeout, and the
 * server keeps little of it. A client that went away, which a comment every few seconds finds out, ends the step.
 */
final class EventStream {
    static final String TYPE = "text/event-stream";
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);

    private final StepService steps;
    private final StepJob job;
    private final ExecutorService threads;
    private final PendingEvents events = new PendingEvents();

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
        StreamedOutput stdout = new StreamedOutput("stdout", events);
        StreamedOutput stderr = new StreamedOutput("stderr", events);
        Event last;
        try {
            ExecutionResult result = steps.run(job, cancellation, stdout, stderr);
            stdout.finish();
            stderr.finish();
            last = Event.of(result, Reply.of(result));
        } catch (SandboxException e) {
            last = Event.of(Reply.of(e));
        } catch (RuntimeException e) {
            last = Event.of(new Reply(500, Reply.refusal("INTERNAL", "the server failed"), 0));
        }
        events.end(last);
    }

    /** Until the step has said or ended something, a refusal can still be told by its status. */
    private void forward(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        @Nullable Event event = events.next(HEARTBEAT);
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
            event = events.next(HEARTBEAT);
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
