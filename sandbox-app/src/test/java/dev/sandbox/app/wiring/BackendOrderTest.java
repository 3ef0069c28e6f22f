package dev.sandbox.app.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.problem.PolicyInvalidException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackendOrderTest {
    @Test
    void whatHoldsMostIsTriedFirst() {
        assertThat(BackendOrder.parse(""))
                .containsExactly(BackendName.MOUNTNS, BackendName.LANDLOCK, BackendName.DOCKER);
    }

    @Test
    void anOrderMayBeGivenAndLeavesOutWhatItDoesNotName() {
        assertThat(BackendOrder.parse("docker, landlock")).containsExactly(BackendName.DOCKER, BackendName.LANDLOCK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"landlock,", "none", "landlock,landlock", "LANDLOCK", ",", "landlock mountns"})
    void whatIsNoOrderIsRefused(String text) {
        assertThatThrownBy(() -> BackendOrder.parse(text))
                .isInstanceOf(PolicyInvalidException.class)
                .hasMessageContaining("SANDBOX_BACKENDS");
    }
}
