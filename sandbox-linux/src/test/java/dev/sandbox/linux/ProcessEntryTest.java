package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.isolation.ExitStatus;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ProcessEntryTest {
    private static Optional<ProcessEntry> parse(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
        return ProcessEntry.parse(7, bytes, bytes.length);
    }

    @Test
    void hostileNameDoesNotShiftTheFields() {
        assertThat(parse("7 (a) Z 1 2 3) S 10 11 12 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 98765 1 2\n"))
                .contains(new ProcessEntry(7, 'S', 10, 11, 12, 1, 98765));
    }

    @Test
    void tornLineIsNoEntry() {
        assertThat(parse("")).isEmpty();
        assertThat(parse("7 (x")).isEmpty();
        assertThat(parse("7 (x)")).isEmpty();
        assertThat(parse("7 (x) S 1 2 3")).isEmpty();
    }

    @Test
    void endedProcessesAreNotAlive() {
        assertThat(new ProcessEntry(1, 'Z', 0, 0, 0, 1, 0).alive()).isFalse();
        assertThat(new ProcessEntry(1, 'T', 0, 0, 0, 1, 0).alive()).isTrue();
    }

    @Test
    void kinshipFollowsParentsAndTheSessionsOfMembers() {
        Kinship kinship = new Kinship(10, Optional.of(5));
        ProcessEntry sessionLeader = new ProcessEntry(20, 'S', 10, 20, 20, 1, 1);
        assertThat(kinship.includes(sessionLeader)).isTrue();
        assertThat(kinship.add(sessionLeader)).isTrue();
        assertThat(kinship.includes(new ProcessEntry(30, 'S', 1, 20, 20, 1, 1))).isTrue();
        assertThat(kinship.includes(new ProcessEntry(31, 'S', 5, 31, 31, 1, 1))).isTrue();
        assertThat(kinship.includes(new ProcessEntry(32, 'S', 1, 32, 32, 1, 1))).isFalse();
    }

    @Test
    void coreDumpIsADeathBySignal() {
        assertThat(Child.status(1, 3)).isEqualTo(ExitStatus.exited(3));
        assertThat(Child.status(2, 9)).isEqualTo(ExitStatus.signaled(9));
        assertThat(Child.status(3, 11)).isEqualTo(ExitStatus.signaled(11));
    }
}
