package dev.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.linux.ProcessIdentity;
import org.junit.jupiter.api.Test;

class LeftoversTest {
    @Test
    void whatCannotBeSeenFromHereIsRemovedOnlyWhenItNoLongerRuns() {
        assertThat(Leftovers.isLeftover(ProcessIdentity.State.ELSEWHERE, "running"))
                .isFalse();
        assertThat(Leftovers.isLeftover(ProcessIdentity.State.ELSEWHERE, "exited"))
                .isTrue();
    }

    @Test
    void whatALivingProcessOwnsStaysAndWhatADeadOneOwnedGoes() {
        assertThat(Leftovers.isLeftover(ProcessIdentity.State.ALIVE, "exited")).isFalse();
        assertThat(Leftovers.isLeftover(ProcessIdentity.State.GONE, "running")).isTrue();
        assertThat(ProcessIdentity.parse(Owner.self()).orElseThrow().state()).isEqualTo(ProcessIdentity.State.ALIVE);
    }
}
