package dev.sandbox.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.testkit.FakeBackend;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackendOrderTest {
    private static final BackendName OWN = BackendName.of("own");

    private static List<IsolationBackend> backends(BackendName... names) {
        List<IsolationBackend> backends = new ArrayList<>();
        for (BackendName name : names) {
            backends.add(FakeBackend.holdingAll(name));
        }
        return backends;
    }

    private static List<BackendName> order(String text, BackendName... installed) {
        return BackendOrder.apply(text, backends(installed)).stream()
                .map(IsolationBackend::name)
                .toList();
    }

    @Test
    void whatHoldsMostIsTriedFirstAndATeamsOwnLast() {
        assertThat(order("", OWN, BackendName.DOCKER, BackendName.LANDLOCK, BackendName.MOUNTNS))
                .containsExactly(BackendName.MOUNTNS, BackendName.LANDLOCK, BackendName.DOCKER, OWN);
    }

    @Test
    void anOrderMayBeGivenAndLeavesOutWhatItDoesNotName() {
        assertThat(order("docker, own,landlock", BackendName.LANDLOCK, BackendName.MOUNTNS, OWN, BackendName.DOCKER))
                .containsExactly(BackendName.DOCKER, OWN, BackendName.LANDLOCK);
    }

    @Test
    void oneOfThisDistributionThatIsNotInstalledIsPassedOver() {
        assertThat(order("docker,landlock", BackendName.LANDLOCK)).containsExactly(BackendName.LANDLOCK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"landlock,", "none", "landlock,landlock", "LANDLOCK", ",", "landlock mountns", "own"})
    void whatIsNoOrderIsRefused(String text) {
        assertThatThrownBy(() -> order(text, BackendName.LANDLOCK))
                .isInstanceOf(PolicyInvalidException.class)
                .hasMessageContaining("SANDBOX_BACKENDS")
                .hasMessageContaining("name each of mountns, landlock, docker at most once");
    }
}
