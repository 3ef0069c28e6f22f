package dev.sandbox.app.http;

import dev.sandbox.domain.problem.SandboxException;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.router.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.eclipse.jetty.http.BadMessageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which path is served by what. */
final class Routes {
    private static final Logger LOG = LoggerFactory.getLogger(Routes.class);
    private static final String PAGE_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                    + " img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final ExecuteRoute execute;
    private final StatusRoutes status;
    private final ServiceMetrics metrics;

    Routes(ExecuteRoute execute, StatusRoutes status, ServiceMetrics metrics) {
        this.execute = execute;
        this.status = status;
        this.metrics = metrics;
    }

    /** One of them: method, path and what serves it. */
    record Route(HandlerType method, String path, Handler handler) {}

    /** All but {@code /mcp}, which is a servlet of its own. */
    List<Route> all() {
        return List.of(
                new Route(HandlerType.POST, "/api/execute", context -> execute.serve(context.req(), context.res())),
                answering(HandlerType.GET, "/health", context -> status.health()),
                answering(HandlerType.HEAD, "/health", context -> status.health()),
                answering(HandlerType.GET, "/live", context -> StatusRoutes.live()),
                answering(HandlerType.GET, "/api/processes", context -> status.processes()),
                answering(HandlerType.DELETE, "/api/processes/{id}", context -> status.end(context.pathParam("id"))),
                answering(HandlerType.GET, "/api/guarantees", context -> status.guarantees()),
                answering(HandlerType.GET, "/api/policy", context -> status.policy()),
                answering(HandlerType.GET, "/api/runs", context -> status.runs()),
                answering(
                        HandlerType.GET,
                        "/api/explain",
                        context -> status.explain(context.queryParam("path"), context.queryParam("operation"))),
                new Route(HandlerType.GET, "/metrics", this::metrics),
                resource("/openapi.json", "openapi.json", "application/json"),
                resource("/", "page.html", "text/html; charset=utf-8"),
                resource("/page.js", "page.js", "text/javascript; charset=utf-8"),
                resource("/page.css", "page.css", "text/css; charset=utf-8"));
    }

    void add(JavalinConfig config) {
        config.http.prefer405over404 = true;
        config.http.generateEtags = false;
        config.router.mount(router -> {
            for (Route route : all()) {
                router.addEndpoint(new Endpoint(route.method(), route.path(), route.handler()));
            }
            router.exception(Refusal.class, (refusal, context) -> answer(context, Reply.of(refusal)));
            router.exception(SandboxException.class, (e, context) -> answer(context, Reply.of(e)));
            router.exception(
                    HttpResponseException.class,
                    (e, context) -> answer(
                            context,
                            new Reply(
                                    e.getStatus(),
                                    Reply.refusal(e.getStatus() == 405 ? "METHOD_NOT_ALLOWED" : "NOT_FOUND", phrase(e)),
                                    0)));
            router.exception(
                    BadMessageException.class,
                    (e, context) -> answer(context, Reply.of(Refusal.brokenBody(e.getCode()))));
            router.exception(IOException.class, (gone, context) -> LOG.debug("the client went away", gone));
            router.exception(Exception.class, (e, context) -> {
                LOG.warn("a request failed", e);
                answer(context, new Reply(500, Reply.refusal("INTERNAL", "the server failed"), 0));
            });
        });
    }

    private static String phrase(HttpResponseException e) {
        return e.getStatus() == 405 ? "this path is not served by this method" : "nothing is served there";
    }

    private static Route answering(HandlerType method, String path, Function<Context, Reply> reply) {
        return new Route(method, path, context -> answer(context, reply.apply(context)));
    }

    private static void answer(Context context, Reply reply) {
        try {
            Gate.write(context.res(), reply);
        } catch (IOException gone) {
            LOG.debug("the client went away", gone);
        }
    }

    private void metrics(Context context) {
        context.contentType("text/plain; version=0.0.4; charset=utf-8").result(metrics.text());
    }

    private static Route resource(String path, String name, String type) {
        return new Route(HandlerType.GET, path, context -> {
            context.header("Content-Security-Policy", PAGE_POLICY);
            context.header("X-Frame-Options", "DENY");
            context.header("Referrer-Policy", "no-referrer");
            context.contentType(type).result(bytes(name));
        });
    }

    private static byte[] bytes(String name) throws IOException {
        try (InputStream in = Routes.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }
}
