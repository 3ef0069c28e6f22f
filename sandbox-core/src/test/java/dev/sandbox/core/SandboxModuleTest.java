package dev.sandbox.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.sandbox.domain.Sandbox;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.landlock.LandlockModule;
import dev.sandbox.mountns.MountNamespaceModule;
import dev.sandbox.testkit.FakeBackend;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SandboxModuleTest {
    private static final BackendName OWN = BackendName.of("own");

    /** What a team writes for a backend of its own. */
    private static final class OwnModule extends AbstractModule {
        @ProvidesIntoSet
        IsolationBackend own() {
            return FakeBackend.holdingAll(OWN);
        }
    }

    private static List<BackendName> names(Map<String, String> environment) {
        return Guice.createInjector(new SandboxModule(
                        environment, new OwnModule(), new LandlockModule(), new MountNamespaceModule()))
                .getInstance(StandardSandbox.class)
                .backends()
                .stream()
                .map(IsolationBackend::name)
                .toList();
    }

    @Test
    void teamAddsItsOwnBackendToTheSet() {
        assertThat(names(Map.of())).containsExactly(BackendName.MOUNTNS, BackendName.LANDLOCK, OWN);
    }

    @Test
    void configurationOrdersThem() {
        assertThat(names(Map.of("SANDBOX_BACKENDS", "own,landlock"))).containsExactly(OWN, BackendName.LANDLOCK);
    }

    @Test
    void withoutABackendThereIsASandboxThatRefuses() {
        assertThat(((StandardSandbox) Guice.createInjector(new SandboxModule(Map.of()))
                                .getInstance(Sandbox.class))
                        .backends())
                .isEmpty();
    }
}
