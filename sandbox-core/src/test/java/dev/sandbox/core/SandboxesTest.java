package dev.sandbox.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.testkit.FakeBackend;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SandboxesTest {
    private static final BackendName OWN = BackendName.of("own");

    private static List<BackendName> names(StandardSandbox sandbox) {
        return sandbox.backends().stream().map(IsolationBackend::name).toList();
    }

    @Test
    void standardHasEveryBackendOnTheClassPath() {
        assertThat(names(Sandboxes.standard(Map.of())))
                .containsExactly(BackendName.MOUNTNS, BackendName.LANDLOCK, BackendName.DOCKER);
        assertThat(names(Sandboxes.standard(Map.of("SANDBOX_BACKENDS", "landlock"))))
                .containsExactly(BackendName.LANDLOCK);
    }

    @Test
    void builderTriesThemAsTheyWereAddedWhateverTheEnvironmentSays() {
        assertThat(names(Sandboxes.builder(Map.of("SANDBOX_BACKENDS", "mountns"))
                        .backend(FakeBackend.holdingAll(OWN))
                        .docker()
                        .landlock()
                        .mountns()
                        .build()))
                .containsExactly(OWN, BackendName.DOCKER, BackendName.LANDLOCK, BackendName.MOUNTNS);
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without NullAway may do
    void nullIsNamed() {
        StandardSandbox sandbox =
                Sandboxes.builder(Map.of()).backend(FakeBackend.holdingAll(OWN)).build();
        SandboxPolicy policy =
                SandboxPolicy.builder().baseDir(Path.of("/srv/w")).build();

        assertThatThrownBy(() -> sandbox.run(policy, null)).hasMessage("command");
        assertThatThrownBy(() -> sandbox.start(policy, null)).hasMessage("command");
        assertThatThrownBy(() -> sandbox.run(null, Command.of("true"))).hasMessage("policy");
        assertThatThrownBy(() -> sandbox.open(null)).hasMessage("policy");
        assertThatThrownBy(() -> Sandboxes.builder(null)).hasMessage("environment");
        assertThatThrownBy(() -> Sandboxes.builder(Map.of()).backend((IsolationBackend) null))
                .hasMessage("backend");
    }

    @Test
    void twoOfOneNameOrNoneAtAllAreRefused() {
        assertThatThrownBy(() -> Sandboxes.builder(Map.of()).landlock().landlock())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there are two backends of the name landlock");
        assertThatThrownBy(() -> Sandboxes.builder(Map.of()).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no backend was added");
    }
}
