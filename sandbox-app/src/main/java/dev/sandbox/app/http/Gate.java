package dev.sandbox.app.http;

import dev.sandbox.app.service.EndOfRequest;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What every request passes, whatever serves it: it is given an id, must name this server, must not come from a page of another
 * origin, must be JSON when it changes something, and must show the token when there is one. Then it is logged and counted.
 */
final class Gate implements Filter {
    static final String REQUEST_ID = "X-Request-Id";
    /** Holds nothing that is worth a token: whether the service lives, and the page in which a token is entered. */
    private static final Set<String> OPEN =
            Set.of("/", "/health", "/live", "/openapi.json", "/page.js", "/page.css", "/favicon.ico");

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final String JSON = "application/json";
    /** Javalin would take the method from the first, after this class has looked at the real one. */
    private static final List<String> OTHER_METHODS =
            List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override");

    private final Supplier<HostNames> names;
    private final Optional<ApiToken> token;
    private final AccessLog log;
    private final ServiceMetrics metrics;
    /** Each holds a thread, also one whose body drips in; the rest of the threads are for those who only ask. */
    private final int mostPosts;

    private final AtomicInteger posts = new AtomicInteger();

    Gate(Supplier<HostNames> names, Optional<ApiToken> token, AccessLog log, ServiceMetrics metrics, int mostPosts) {
        this.mostPosts = mostPosts;
        this.names = names;
        this.token = token;
        this.log = log;
        this.metrics = metrics;
    }

    @Override
    public void doFilter(ServletRequest any, ServletResponse answer, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) any;
        HttpServletResponse response = (HttpServletResponse) answer;
        long start = System.nanoTime();
        String id = Optional.ofNullable(request.getHeader(REQUEST_ID))
                .filter(given -> ID.matcher(given).matches())
                .orElseGet(() -> UUID.randomUUID().toString());
        request.setAttribute(REQUEST_ID, id);
        response.setHeader(REQUEST_ID, id);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-store");
        boolean post = request.getMethod().equals("POST");
        int already = post ? posts.getAndIncrement() : 0;
        try {
            check(request);
            if (already >= mostPosts) {
                write(response, new Reply(429, Reply.refusal("SANDBOX_BUSY", "too many requests at once"), 1));
            } else {
                chain.doFilter(request, response);
            }
        } catch (Refusal refusal) {
            write(response, Reply.of(refusal));
        } finally {
            EndOfRequest.then(request, () -> {
                posts.addAndGet(post ? -1 : 0);
                done(request, response, id, start);
            });
        }
    }

    private void check(HttpServletRequest request) {
        if (OTHER_METHODS.stream().anyMatch(name -> request.getHeader(name) != null)) {
            throw Refusal.badRequest("a request has the method that it names first, and no header changes it");
        }
        String host = only(request, "Host").orElseThrow(() -> Refusal.badRequest("exactly one Host header is needed"));
        if (!names.get().isOurs(host, request.getLocalAddr())) {
            throw Refusal.forbidden("the Host header does not name this server; start it with --allowed-host NAME");
        }
        if (Collections.list(request.getHeaders("Origin")).stream().anyMatch(origin -> !isSame(origin, host))) {
            throw Refusal.forbidden("requests from pages of another origin are refused");
        }
        if (request.getMethod().equals("POST") && !isJson(request.getContentType())) {
            throw Refusal.mediaType();
        }
        if (token.isPresent() && !OPEN.contains(request.getRequestURI())) {
            String shown = only(request, "Authorization")
                    .flatMap(ApiToken::shown)
                    .orElseThrow(() -> Refusal.unauthorized("a token is needed: Authorization: Bearer TOKEN"));
            if (!token.get().matches(shown)) {
                throw Refusal.unauthorized("the token is not the server's");
            }
        }
    }

    private static boolean isSame(String origin, String host) {
        return origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host);
    }

    /** A form, which needs no leave of this server to be sent from another page, cannot have this type. */
    private static boolean isJson(@Nullable String type) {
        return type != null
                && type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(JSON);
    }

    private static Optional<String> only(HttpServletRequest request, String name) {
        List<String> values = Collections.list(request.getHeaders(name));
        return values.size() == 1 ? Optional.of(values.get(0)) : Optional.empty();
    }

    static void write(HttpServletResponse response, Reply reply) throws IOException {
        if (response.isCommitted()) {
            return;
        }
        if (reply.status() == HttpServletResponse.SC_UNAUTHORIZED) {
            response.setHeader("WWW-Authenticate", "Bearer");
        }
        if (reply.retryAfter() > 0) {
            response.setHeader("Retry-After", String.valueOf(reply.retryAfter()));
        }
        write(response, reply.status(), reply.body());
    }

    static void write(HttpServletResponse response, int status, String body) throws IOException {
        byte[] json = body.getBytes(StandardCharsets.UTF_8);
        response.resetBuffer();
        response.setStatus(status);
        response.setContentType(JSON);
        response.setContentLength(json.length);
        response.getOutputStream().write(json);
    }

    private void done(HttpServletRequest request, HttpServletResponse response, String id, long start) {
        long nanos = System.nanoTime() - start;
        metrics.requestServed(request.getMethod(), response.getStatus(), nanos);
        log.line(request, response.getStatus(), id, nanos);
    }
}
