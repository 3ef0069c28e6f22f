package dev.sandbox.app.http;

import dev.sandbox.app.config.ResultDocument;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.Termination;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request that runs something.
 *
 * @param status of HTTP
 * @param document the body
 * @param retryAfter seconds; 0: none is named
 */
record Reply(int status, Map<String, Object> document, int retryAfter) {
    private static final int TIMEOUT_CODE = -1;

    /** A command that ran. */
    static Reply of(ExecutionResult result) {
        Map<String, Object> data = data(result, ResultDocument.Streams.INCLUDED);
        if (result.termination() == Termination.TIMED_OUT) {
            String message = firstLine(String.valueOf(data.get("stderr")));
            return new Reply(408, envelope(false, message, data, error("TIMEOUT", message)), 0);
        }
        String message = "the command exited with " + result.exitCode();
        return new Reply(200, envelope(true, message, data, null), 0);
    }

    /** The result object; of a timeout in the form that the interface fixes, in every answer over HTTP. */
    static Map<String, Object> data(ExecutionResult result, ResultDocument.Streams streams) {
        Map<String, Object> data = ResultDocument.of(result, streams);
        if (result.termination() == Termination.TIMED_OUT) {
            data.put("exit_code", TIMEOUT_CODE);
            if (streams == ResultDocument.Streams.INCLUDED) {
                data.put("stderr", timeoutFirst(result.stderr()));
            }
        }
        return data;
    }

    /** The sandbox says it last, where it happened; the interface wants it first. */
    private static String timeoutFirst(String stderr) {
        int said = stderr.lastIndexOf("TIMEOUT: ");
        String line = said < 0 ? "TIMEOUT: Command killed\n" : stderr.substring(said);
        return line + (said < 0 ? stderr : stderr.substring(0, said));
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    /** Nothing ran. */
    static Reply of(SandboxException e) {
        String message = String.valueOf(e.getMessage());
        Map<String, Object> document = refusal(e.code().name(), message);
        return switch (e.code()) {
            case POLICY_INVALID, COMMAND_INVALID, COMMAND_NOT_FOUND, COMMAND_NOT_EXECUTABLE, USAGE ->
                new Reply(400, document, 0);
            case SANDBOX_BUSY -> new Reply(429, document, 1);
            case SANDBOX_UNAVAILABLE, CANCELLED -> new Reply(503, document, 0);
        };
    }

    /** As {@link #of(SandboxException)}. */
    static Reply of(Refusal refusal) {
        return new Reply(refusal.status(), refusal(refusal.code(), refusal.text()), refusal.retryAfter());
    }

    /** Whether it is the answer to a command that ran. */
    boolean hasRun() {
        return document.get("data") != null;
    }

    /** The same, when it is worth a retry. */
    Reply retryAfter(int seconds) {
        return new Reply(status, document, seconds);
    }

    /** The body as it goes out. */
    String body() {
        return ResultDocument.render(document);
    }

    /** The body of an answer that refuses. */
    static Map<String, Object> refusal(String code, String message) {
        return envelope(false, message, null, error(code, message));
    }

    private static Map<String, Object> error(String code, String message) {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("code", code);
        error.put("message", message);
        return error;
    }

    private static Map<String, Object> envelope(
            boolean success, String message, @Nullable Object data, @Nullable Object error) {
        Map<String, Object> envelope = new LinkedHashMap<>();
        envelope.put("success", success);
        envelope.put("message", message);
        envelope.put("data", data);
        envelope.put("error", error);
        return envelope;
    }
}
