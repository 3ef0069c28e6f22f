package dev.sandbox.app.http;

import dev.sandbox.app.config.ResultDocument;
import jakarta.servlet.http.HttpServletRequest;
import java.io.PrintStream;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/** One line of JSON for each request. Never a query, a header, a body, a command or a variable. Thread-safe. */
final class AccessLog {
    /** Set by a route for its step: how it ended. */
    static final String TERMINATION = "dev.sandbox.termination";

    /** Set by a route for its step: what enforced the policy. */
    static final String BACKEND = "dev.sandbox.backend";

    private static final int PATH_KEPT = 100;

    private final PrintStream out;
    private final Clock clock;

    AccessLog(PrintStream out, Clock clock) {
        this.out = out;
        this.clock = clock;
    }

    void line(HttpServletRequest request, int status, String id, long nanos) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", clock.instant().toString());
        line.put("request_id", id);
        line.put("remote", request.getRemoteAddr());
        line.put("method", request.getMethod());
        String path = request.getRequestURI();
        line.put("path", path.length() > PATH_KEPT ? path.substring(0, PATH_KEPT) : path);
        line.put("status", status);
        line.put("duration_ms", nanos / 1_000_000);
        for (Map.Entry<String, String> about :
                Map.of("termination", TERMINATION, "backend", BACKEND).entrySet()) {
            Object value = request.getAttribute(about.getValue());
            if (value != null) {
                line.put(about.getKey(), value);
            }
        }
        event(line);
    }

    /** Something else worth a line. */
    void event(Map<String, Object> line) {
        out.println(ResultDocument.render(line));
    }
}
