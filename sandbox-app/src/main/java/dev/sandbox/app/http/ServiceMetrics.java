package dev.sandbox.app.http;

import dev.sandbox.app.service.StepObserver;
import dev.sandbox.app.service.StepService;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.result.Denial;
import dev.sandbox.domain.result.ExecutionResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/** What is counted. Labels are words from closed lists, never a client's text. Thread-safe. */
final class ServiceMetrics implements StepObserver {
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "DELETE");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    ServiceMetrics() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
    }

    /** Shows what a service does now. */
    void watch(StepService steps) {
        Gauge.builder("sandbox.steps.live", steps, StepService::runningCount)
                .description("Steps that run.")
                .register(registry);
        Gauge.builder("sandbox.steps.waiting", steps, StepService::waitingCount)
                .description("Steps that wait for their turn.")
                .register(registry);
        Gauge.builder("sandbox.steps.saturation", steps, StepService::saturation)
                .description("Running and waiting steps per step that may run at once: an autoscaler's measure.")
                .register(registry);
    }

    @Override
    public void ran(ExecutionResult result) {
        Counter.builder("sandbox.runs")
                .description("Steps that ran.")
                .tag("backend", result.backend().id())
                .tag("termination", result.termination().id())
                .register(registry)
                .increment();
        histogram("sandbox.run.duration", "Wall time of steps.")
                .tag("backend", result.backend().id())
                .register(registry)
                .record(result.executionTime());
        for (Denial denial : result.denials()) {
            Counter.builder("sandbox.denials")
                    .description("Accesses that were kept from steps, as far as known.")
                    .tag("operation", denial.operation())
                    .tag("source", denial.source().name().toLowerCase(Locale.ROOT))
                    .register(registry)
                    .increment();
        }
    }

    @Override
    public void refused(SandboxException reason) {
        refused(reason.code().name());
    }

    /** A request for a step that was refused. */
    void refused(String code) {
        Counter.builder("sandbox.refusals")
                .description("Requests for steps of which none ran.")
                .tag("code", code)
                .register(registry)
                .increment();
    }

    /** A request, whatever it was. */
    void requestServed(String method, int status, long nanos) {
        histogram("sandbox.http.requests", "Requests, from their headers to the end of the answer.")
                .tag("method", METHODS.contains(method) ? method : "other")
                .tag("status", String.valueOf(status))
                .register(registry)
                .record(Duration.ofNanos(nanos));
    }

    private static Timer.Builder histogram(String name, String description) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(
                        Duration.ofMillis(5),
                        Duration.ofMillis(10),
                        Duration.ofMillis(25),
                        Duration.ofMillis(50),
                        Duration.ofMillis(100),
                        Duration.ofMillis(250),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(5));
    }

    /** All of it in Prometheus' text format. */
    String text() {
        return registry.scrape();
    }
}
