package dev.sandbox.app.http;

import io.javalin.config.JavalinConfig;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.util.EnumSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.FilterHolder;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty as it has to be for strangers: every bound is set, nothing of it shows. */
final class Listener {
    /** Beside a thread for each step that runs or waits: those that answer refusals, health and the page meanwhile. */
    private static final int SPARE_THREADS = 24;

    private static final int FEWEST_THREADS = 8;
    private static final int HEADER_BYTES = 16 * 1024;
    private static final int CONNECTIONS_WAITING = 256;
    private static final int LAST_ANSWERS_MILLIS = 5000;

    private Listener() {}

    static void configure(JavalinConfig config, ServerSettings settings, Filter gate, HttpServlet mcp) {
        config.showJavalinBanner = false;
        config.startupWatcherEnabled = false;
        config.jetty.threadPool = threads(settings);
        config.jetty.modifyServer(server -> {
            server.setErrorHandler(new ErrorBodies());
            // The steps have ended by then; this is for their answers to go out.
            server.setStopTimeout(LAST_ANSWERS_MILLIS);
        });
        config.jetty.modifyServletContextHandler(handler -> context(handler, gate, mcp));
        config.jetty.modifyHttpConfiguration(Listener::http);
        config.jetty.addConnector((server, http) -> connector(server, http, settings));
    }

    private static QueuedThreadPool threads(ServerSettings settings) {
        int most = settings.maxRunning() + settings.maxWaiting() + SPARE_THREADS;
        BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
        QueuedThreadPool threads = new QueuedThreadPool(most, FEWEST_THREADS, 60_000, queue);
        threads.setName("sandbox-http");
        return threads;
    }

    /** How many requests that hold a thread are served at once: the others must find one. */
    static int mostPosts(ServerSettings settings) {
        return settings.maxRunning() + settings.maxWaiting() + SPARE_THREADS / 2;
    }

    private static void context(ServletContextHandler handler, Filter gate, HttpServlet mcp) {
        handler.setErrorHandler(new ErrorBodies());
        FilterHolder first = new FilterHolder(gate);
        first.setAsyncSupported(true);
        handler.addFilter(first, "/*", EnumSet.of(DispatcherType.REQUEST));
        ServletHolder servlet = new ServletHolder(mcp);
        servlet.setAsyncSupported(true);
        handler.addServlet(servlet, "/mcp");
    }

    private static void http(HttpConfiguration http) {
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        http.setRequestHeaderSize(HEADER_BYTES);
        http.setHttpCompliance(HttpCompliance.RFC7230);
        http.setUriCompliance(UriCompliance.DEFAULT);
        http.setFormEncodedMethods();
    }

    private static ServerConnector connector(Server server, HttpConfiguration http, ServerSettings settings) {
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(settings.host());
        connector.setPort(settings.port());
        connector.setIdleTimeout(settings.idleTimeout().toMillis());
        connector.setAcceptQueueSize(CONNECTIONS_WAITING);
        connector.addBean(new IdleConnections(settings.maxConnections(), settings.idleTimeout()));
        return connector;
    }
}
