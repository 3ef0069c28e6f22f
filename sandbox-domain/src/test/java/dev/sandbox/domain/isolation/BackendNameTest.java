package dev.sandbox.domain.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackendNameTest {
    @Test
    void nameMadeFromItsTextEqualsTheConstant() {
        assertThat(BackendName.of("landlock")).isEqualTo(BackendName.LANDLOCK).hasSameHashCodeAs(BackendName.LANDLOCK);
        assertThat(BackendName.of("landlock")).isNotEqualTo(BackendName.DOCKER);
        assertThat(BackendName.LANDLOCK).hasToString("landlock");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gvisor", "a", "kata-3", "a2345678901234567890123456789012"})
    void teamsOwnBackendHasAName(String id) {
        assertThat(BackendName.of(id).id()).isEqualTo(id);
        assertThat(BackendName.findStandard(id)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "auto", "Landlock", "3d", "-a", "a b", "a,b", "a\n", "é", "a23456789012345678901234567890123"
            })
    void whatCouldNotStandInAnOrderOrAPolicyIsRefused(String id) {
        assertThatThrownBy(() -> BackendName.of(id))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no name of a backend");
    }
}
