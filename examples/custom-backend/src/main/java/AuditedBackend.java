import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.isolation.IsolationPlan;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.isolation.StepRequest;
import java.util.function.Consumer;

/** Tells of each command before it starts, and leaves its confinement to another backend. */
public final class AuditedBackend implements IsolationBackend {
    private static final BackendName NAME = BackendName.of("audited");

    private final IsolationBackend inner;
    private final Consumer<String> audit;

    public AuditedBackend(IsolationBackend inner, Consumer<String> audit) {
        this.inner = inner;
        this.audit = audit;
    }

    @Override
    public BackendName name() {
        return NAME;
    }

    /** What the other one can do on this host, under this one's name. */
    @Override
    public BackendAssessment assess() {
        BackendAssessment proved = inner.assess();
        return new BackendAssessment(NAME, proved.detail(), proved.promises());
    }

    @Override
    public IsolationPlan plan(SessionRequest request) {
        return inner.plan(request);
    }

    @Override
    public IsolationSession open(SessionRequest request) {
        IsolationSession session = inner.open(request);
        return new IsolationSession() {
            @Override
            public SandboxedProcess start(StepRequest step) {
                audit.accept(step.command().display());
                return session.start(step);
            }

            @Override
            public void close() {
                session.close();
            }
        };
    }
}
