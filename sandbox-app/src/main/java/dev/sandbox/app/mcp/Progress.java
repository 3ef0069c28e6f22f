package dev.sandbox.app.mcp;

import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Tells those who asked for it that their command still runs, and for how long. One thread for all. */
final class Progress implements AutoCloseable {
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "sandbox-mcp-progress");
        thread.setDaemon(true);
        return thread;
    });

    /** Reports of one call; until it is closed. */
    interface Reports extends AutoCloseable {
        @Override
        void close();
    }

    Reports begin(McpSyncServerExchange exchange, Optional<Object> token) {
        if (token.isEmpty()) {
            return () -> {};
        }
        long start = System.nanoTime();
        ScheduledFuture<?> reports = clock.scheduleWithFixedDelay(
                () -> report(exchange, token.get(), (System.nanoTime() - start) / 1e9),
                EVERY.toMillis(),
                EVERY.toMillis(),
                TimeUnit.MILLISECONDS);
        return () -> reports.cancel(false);
    }

    private static void report(McpSyncServerExchange exchange, Object token, double seconds) {
        exchange.progressNotification(ProgressNotification.builder(token, seconds)
                .message("running for " + Math.round(seconds) + " s")
                .build());
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
