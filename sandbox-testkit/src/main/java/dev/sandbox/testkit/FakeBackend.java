package dev.sandbox.testkit;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.Promise;
import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.isolation.IsolationPlan;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.verdict.Sight;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** A backend that holds what it is told to hold and runs nothing. Remembers how it was used. */
public final class FakeBackend implements IsolationBackend {
    private final BackendName name;
    private final Set<Guarantee> held;
    private final List<SessionRequest> opened = new ArrayList<>();
    private Function<StepRequest, SandboxedProcess> starts = step -> new FakeProcess();
    private Runnable beforeOpen = () -> {};
    private int assessments;
    private int closed;

    private FakeBackend(BackendName name, Collection<Guarantee> held) {
        this.name = name;
        this.held = held.isEmpty() ? EnumSet.noneOf(Guarantee.class) : EnumSet.copyOf(held);
    }

    /** Holds these guarantees alone. */
    public static FakeBackend holding(BackendName name, Collection<Guarantee> held) {
        return new FakeBackend(name, held);
    }

    /** Holds every guarantee. */
    public static FakeBackend holdingAll(BackendName name) {
        return new FakeBackend(name, EnumSet.allOf(Guarantee.class));
    }

    /** How a step is started; may throw. */
    public FakeBackend starting(Function<StepRequest, SandboxedProcess> how) {
        starts = how;
        return this;
    }

    /** What happens, or is thrown, when a session is to be opened. */
    public FakeBackend beforeOpening(Runnable action) {
        beforeOpen = action;
        return this;
    }

    @Override
    public BackendName name() {
        return name;
    }

    @Override
    public Sight stepSight() {
        return Sight.STEP;
    }

    @Override
    public BackendAssessment assess() {
        assessments++;
        Map<Guarantee, Promise> promises = new EnumMap<>(Guarantee.class);
        for (Guarantee guarantee : Guarantee.values()) {
            promises.put(
                    guarantee,
                    held.contains(guarantee)
                            ? Promise.held("fake")
                            : Promise.missing("no " + guarantee.id() + " here", "install " + guarantee.id()));
        }
        return new BackendAssessment(name, "fake " + name.id(), promises);
    }

    @Override
    public IsolationPlan plan(SessionRequest request) {
        return new IsolationPlan() {
            @Override
            public List<String> lines() {
                return request.policy().rules().stream()
                        .map(rule -> rule.access().id() + " " + rule.path())
                        .toList();
            }

            @Override
            public Map<String, Object> document() {
                return Map.of("backend", name.id());
            }
        };
    }

    @Override
    public IsolationSession open(SessionRequest request) {
        beforeOpen.run();
        opened.add(request);
        return new IsolationSession() {
            @Override
            public SandboxedProcess start(StepRequest step) {
                return starts.apply(step);
            }

            @Override
            public void close() {
                closed++;
            }
        };
    }

    /** How often it was asked what it can do. */
    public int assessments() {
        return assessments;
    }

    /** The requests of the sessions that were opened. */
    public List<SessionRequest> opened() {
        return Collections.unmodifiableList(opened);
    }

    /** How many sessions were closed. */
    public int closed() {
        return closed;
    }

    /** Its name and what it holds. */
    @Override
    public String toString() {
        return name.id() + " holding " + held;
    }
}
