import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.core.Sandboxes;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.landlock.LandlockBackend;
import dev.sandbox.testkit.IsolationBackendContract;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;

/** The whole test of a backend: the contract. Each of its tests is run with real children of this host. */
final class AuditedBackendTest extends IsolationBackendContract {
    private static final List<String> AUDITED = new CopyOnWriteArrayList<>();

    private static final StandardSandbox SANDBOX = Sandboxes.builder(Map.of("PATH", "/usr/bin:/bin"))
            .backend(parts -> new AuditedBackend(
                    new LandlockBackend(parts.syscalls(), parts.host(), parts.files()), AUDITED::add))
            .build();

    @Override
    protected StandardSandbox sandbox() {
        return SANDBOX;
    }

    @Override
    protected String needs() {
        return "needs Landlock ABI 3";
    }

    @AfterAll
    static void everyCommandWasTold() {
        if (SANDBOX.backends().get(0).assess().isUsable()) {
            assertThat(AUDITED).contains("cat", "no-such-program");
        }
    }
}
