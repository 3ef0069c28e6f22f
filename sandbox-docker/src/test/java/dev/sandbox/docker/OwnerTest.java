package dev.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OwnerTest {
    private final Owner self = Owner.self();

    @Test
    void aLabelsTextNamesTheSameOwner() {
        assertThat(Owner.parse(self.text())).contains(self);
        assertThat(Owner.parse("")).isEmpty();
        assertThat(Owner.parse("x/1/here")).isEmpty();
    }

    @Test
    void thisProcessIsAliveAndOneWithItsNumberFromEarlierIsGone() {
        assertThat(self.state()).isEqualTo(Owner.State.ALIVE);
        assertThat(new Owner(self.pid(), self.start() + "0", self.place()).state())
                .isEqualTo(Owner.State.GONE);
    }

    @Test
    void whatAnotherBootOwnsIsRemovedOnlyWhenItNoLongerRuns() {
        Owner other = new Owner(self.pid(), self.start(), "another boot");
        assertThat(other.state()).isEqualTo(Owner.State.ELSEWHERE);
        assertThat(Leftovers.isLeftover(other.state(), "running")).isFalse();
        assertThat(Leftovers.isLeftover(other.state(), "exited")).isTrue();
    }
}
