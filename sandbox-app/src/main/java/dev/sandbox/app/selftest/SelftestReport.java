package dev.sandbox.app.selftest;

import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.BackendName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What came of every probe on every backend. Filled by one thread. */
public final class SelftestReport {
    /**
     * One probe's line.
     *
     * @param id {@code group.name}
     * @param attacks what it attacks
     * @param meaning what it tries
     * @param outcomes what came of it, for each backend that could be used
     */
    public record Row(String id, String attacks, String meaning, Map<BackendName, Outcome> outcomes) {}

    private final List<BackendAssessment> backends = new ArrayList<>();
    private final Map<String, Row> rows = new LinkedHashMap<>();

    void add(BackendAssessment backend) {
        backends.add(backend);
    }

    void add(Probe probe, BackendName backend, Outcome outcome) {
        rows.computeIfAbsent(
                        probe.id(), id -> new Row(id, probe.claim().text(), probe.meaning(), new LinkedHashMap<>()))
                .outcomes()
                .put(backend, outcome);
    }

    /** The backends that were asked for, usable or not. */
    public List<BackendAssessment> backends() {
        return List.copyOf(backends);
    }

    /** A line for each probe. */
    public List<Row> rows() {
        return List.copyOf(rows.values());
    }

    /** The probes that ended like this on that backend. */
    public List<String> ids(BackendName backend, Outcome.Kind kind) {
        return rows.values().stream()
                .filter(row -> {
                    Outcome outcome = row.outcomes().get(backend);
                    return outcome != null && outcome.kind() == kind;
                })
                .map(Row::id)
                .toList();
    }

    /** True when some backend was tried and nothing that must hold was broken. */
    public boolean isPassed() {
        return backends.stream().anyMatch(BackendAssessment::isUsable)
                && backends.stream()
                        .allMatch(backend ->
                                ids(backend.backend(), Outcome.Kind.BROKEN).isEmpty());
    }
}
