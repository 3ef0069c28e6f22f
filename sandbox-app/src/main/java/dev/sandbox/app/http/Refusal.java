package dev.sandbox.app.http;

import dev.sandbox.domain.problem.Problem;

/** A request that is not served. The message is for the client: one line, what and how to fix it. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final int retryAfter;

    private Refusal(int status, String code, String message) {
        this(status, code, message, 0);
    }

    private Refusal(int status, String code, String message, int retryAfter) {
        super(Problem.oneLine(message), null, false, false);
        this.status = status;
        this.code = code;
        this.retryAfter = retryAfter;
    }

    static Refusal badRequest(String message) {
        return new Refusal(400, "BAD_REQUEST", message);
    }

    static Refusal tooLarge(long limit) {
        return new Refusal(413, "TOO_LARGE", "the body is larger than " + limit + " bytes");
    }

    static Refusal tooSlow() {
        return new Refusal(408, "TOO_SLOW", "the body came too slowly");
    }

    /** Of what Jetty found while the body was read. */
    static Refusal brokenBody(int status) {
        return new Refusal(status, "BAD_REQUEST", "the body is broken");
    }

    static Refusal mediaType() {
        return new Refusal(415, "MEDIA_TYPE", "send the body as Content-Type: application/json");
    }

    static Refusal unauthorized(String message) {
        return new Refusal(401, "UNAUTHORIZED", message);
    }

    static Refusal forbidden(String message) {
        return new Refusal(403, "FORBIDDEN", message);
    }

    static Refusal notFound(String message) {
        return new Refusal(404, "NOT_FOUND", message);
    }

    static Refusal inProgress(String message, int retryAfter) {
        return new Refusal(409, "IN_PROGRESS", message, retryAfter);
    }

    static Refusal keyTaken(String message) {
        return new Refusal(422, "KEY_TAKEN", message);
    }

    static Refusal brokenRun() {
        return new Refusal(500, "INTERNAL", "the first request of this key broke inside the server; it may have run");
    }

    static Refusal tooLargeToRepeat() {
        return new Refusal(
                409, "NOT_KEPT", "the command ran; its result was too large to be kept for a second request");
    }

    /** Seconds; 0: none is named. */
    int retryAfter() {
        return retryAfter;
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
