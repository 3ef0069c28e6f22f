package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessIdentityTest {
    private final ProcessIdentity self = ProcessIdentity.self();

    @Test
    void itsTextNamesTheSameProcess() {
        assertThat(ProcessIdentity.parse(self.text())).contains(self);
        assertThat(self.text()).matches("[0-9a-z-]+");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "1-2-3",
                "0-1-2-3",
                "-1-1-2-3",
                "99999999999-1-2-3",
                "1-1-2-g",
                "1/1/2/3",
                "1-1-2-3-4",
                "1-1-2-3\n"
            })
    void whatIsNoTextOfOneIsNone(String text) {
        assertThat(ProcessIdentity.parse(text)).isEmpty();
    }

    @Test
    void thisProcessIsAliveAndOneWithItsNumberFromEarlierIsGone() {
        assertThat(self.state()).isEqualTo(ProcessIdentity.State.ALIVE);
        assertThat(new ProcessIdentity(self.pid(), self.start() + 1, self.boot(), self.namespace()).state())
                .isEqualTo(ProcessIdentity.State.GONE);
    }

    @Test
    void oneThatEndedIsGoneWhileItWaitsToBeReapedAndAfter() throws IOException, InterruptedException {
        Process child = new ProcessBuilder("/bin/cat").start();
        long start;
        try (ProcessTable table = new ProcessTable()) {
            start = table.entry((int) child.pid()).orElseThrow().startTime();
        }
        ProcessIdentity identity = new ProcessIdentity((int) child.pid(), start, self.boot(), self.namespace());
        assertThat(identity.state()).isEqualTo(ProcessIdentity.State.ALIVE);
        child.getOutputStream().close();
        child.waitFor();
        assertThat(identity.state()).isEqualTo(ProcessIdentity.State.GONE);
    }

    @Test
    void whatCannotBeSeenFromHereIsElsewhereWhateverItsNumber() {
        for (ProcessIdentity other : new ProcessIdentity[] {
            new ProcessIdentity(self.pid(), self.start(), "0123456789abcdef", self.namespace()),
            new ProcessIdentity(self.pid(), self.start(), self.boot(), "1"),
            new ProcessIdentity(999_999_999, 1, self.boot(), "unknown"),
            new ProcessIdentity(999_999_999, 1, "unknown", self.namespace())
        }) {
            assertThat(other.state()).isEqualTo(ProcessIdentity.State.ELSEWHERE);
        }
    }
}
