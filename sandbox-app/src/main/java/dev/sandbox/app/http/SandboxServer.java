package dev.sandbox.app.http;

import dev.sandbox.app.mcp.McpService;
import dev.sandbox.app.service.Confines;
import dev.sandbox.app.service.CurrentSandbox;
import dev.sandbox.app.service.ExtraEnvironment;
import dev.sandbox.app.service.SandboxHealth;
import dev.sandbox.app.service.ServicePolicy;
import dev.sandbox.app.service.StepObserver;
import dev.sandbox.app.service.StepService;
import dev.sandbox.app.service.Turns;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.result.ExecutionResult;
import io.javalin.Javalin;
import io.javalin.util.JavalinException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** {@code sandbox serve}, wired and listening until it is closed. */
public final class SandboxServer implements AutoCloseable {
    private final ServerSettings settings;
    private final AccessLog log;
    private final StepService steps;
    private final McpService mcp;
    private final ExecutorService streamed;
    private final Javalin http;

    private SandboxServer(
            ServerSettings settings,
            AccessLog log,
            StepService steps,
            McpService mcp,
            ExecutorService streamed,
            Javalin http) {
        this.settings = settings;
        this.log = log;
        this.steps = steps;
        this.mcp = mcp;
        this.streamed = streamed;
        this.http = http;
    }

    /**
     * Starts one.
     *
     * @param maker makes sandboxes; steps inherit from the environment that they were made with
     * @param standard the policy of requests that bring none
     * @param out where the access log goes
     * @throws SandboxException when it cannot be served as asked; nothing listens then
     */
    public static SandboxServer start(
            ServerSettings settings,
            SandboxPolicy standard,
            Supplier<StandardSandbox> maker,
            String version,
            PrintStream out) {
        Optional<ApiToken> token = Bounds.token(settings, standard);
        CurrentSandbox sandbox = new CurrentSandbox(maker);
        sandbox.get().resolve(standard);
        ServicePolicy policy = policy(settings, standard);
        ServiceMetrics metrics = new ServiceMetrics();
        RecentRuns runs = new RecentRuns(Clock.systemUTC());
        Turns turns = new Turns(settings.maxRunning(), settings.maxWaiting(), settings.patience());
        StepService steps = new StepService(sandbox, turns, both(metrics, runs));
        metrics.watch(steps);
        McpService mcp = new McpService(steps, sandbox, policy, version);
        AccessLog log = new AccessLog(out, Clock.systemUTC());
        SandboxHealth health = new SandboxHealth(sandbox, standard, System::nanoTime);
        ExecutorService streamed = streams(settings);
        StatusRoutes status = new StatusRoutes(sandbox, policy, health, steps, runs);
        ExecuteRoute execute = new ExecuteRoute(steps, policy, metrics, streamed, settings.maxBody());
        int[] port = new int[1];
        Gate gate = new Gate(
                () -> new HostNames(settings.host(), port[0], settings.allowedHosts()),
                token,
                log,
                metrics,
                Listener.mostPosts(settings));
        Javalin http = Javalin.create(config -> {
            Listener.configure(config, settings, gate, mcp.servlet(settings.maxBody()));
            new Routes(execute, status, metrics).add(config);
        });
        SandboxServer server = new SandboxServer(settings, log, steps, mcp, streamed, http);
        server.listen();
        port[0] = http.port();
        server.told();
        return server;
    }

    private static ServicePolicy policy(ServerSettings settings, SandboxPolicy standard) {
        List<AbsolutePath> written = new ArrayList<>(List.of(standard.baseDir()));
        settings.allowOutside().forEach(path -> written.add(AbsolutePath.of(path.toString())));
        List<AbsolutePath> canonical =
                written.stream().map(SandboxServer::canonical).toList();
        return new ServicePolicy(
                standard,
                Confines.of(written, canonical),
                new ExtraEnvironment(settings.extraEnvironment()),
                settings.usualTimeout(),
                settings.longestTimeout());
    }

    private static AbsolutePath canonical(AbsolutePath path) {
        try {
            return AbsolutePath.of(Path.of(path.toString()).toRealPath().toString());
        } catch (IOException e) {
            throw new SandboxUnavailableException(
                    "--allow-outside", "\"" + path + "\" cannot be examined", "name an existing folder");
        }
    }

    private static ExecutorService streams(ServerSettings settings) {
        int most = settings.maxRunning() + settings.maxWaiting();
        return new ThreadPoolExecutor(0, most, 60, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "sandbox-stream");
            thread.setDaemon(true);
            return thread;
        });
    }

    private static StepObserver both(StepObserver first, StepObserver second) {
        return new StepObserver() {
            @Override
            public void ran(ExecutionResult result) {
                first.ran(result);
                second.ran(result);
            }

            @Override
            public void refused(SandboxException reason) {
                first.refused(reason);
                second.refused(reason);
            }
        };
    }

    private void listen() {
        try {
            http.start();
        } catch (JavalinException e) {
            close();
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new SandboxUnavailableException(
                    "",
                    "listen on " + settings.host() + ":" + settings.port() + ": "
                            + String.valueOf(cause.getMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse(""),
                    "choose another --port or --host");
        }
    }

    private void told() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("event", "listening");
        line.put("url", url());
        log.event(line);
    }

    /** Where it listens. */
    public String url() {
        return "http://" + HostNames.literal(settings.host()) + ":" + http.port();
    }

    /** Refuses new steps, gives the running ones their time, ends them, and stops listening. */
    @Override
    public void close() {
        steps.drain(settings.stopTimeout());
        mcp.close();
        streamed.shutdown();
        http.stop();
    }
}
