package dev.sandbox.domain.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.isolation.Completion.Leftovers;
import dev.sandbox.domain.isolation.ExitStatus;
import dev.sandbox.domain.policy.Limits;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LimitNotesTest {
    private static final Limits ALL = Limits.builder()
            .memory(512L << 20)
            .processes(64)
            .fileSize(1L << 20)
            .openFiles(1024)
            .cpuTime(Duration.ofMillis(9001))
            .build();

    private static List<String> notes(Limits limits, ExitStatus status, String stderr) {
        return LimitNotes.of(limits, new Completion(status, Termination.EXITED, Leftovers.NONE), stderr);
    }

    @Test
    void memoryIsToldWithItsPeak() {
        assertThat(LimitNotes.killedForMemory(512L << 20, 530L << 20))
                .isEqualTo("killed: memory limit 512MiB (peak 530MiB)");
        assertThat(LimitNotes.killedForMemory(900, 2048)).isEqualTo("killed: memory limit 900B (peak 2KiB)");
    }

    @Test
    void signalOfAFileTooLargeNamesTheLimit() {
        assertThat(notes(ALL, ExitStatus.signaled(25), "")).containsExactly("killed: file size limit 1MiB");
        assertThat(notes(ALL, ExitStatus.exited(153), ""))
                .containsExactly("a process was killed: file size limit 1MiB");
    }

    @Test
    void signalOfTooMuchProcessorTimeNamesTheLimitInWholeSeconds() {
        assertThat(notes(ALL, ExitStatus.signaled(24), "")).containsExactly("killed: cpu time limit 10s");
        assertThat(notes(ALL, ExitStatus.exited(152), "")).containsExactly("a process was killed: cpu time limit 10s");
        Completion killed = new Completion(ExitStatus.signaled(9), Termination.SIGNALED, Leftovers.NONE);
        assertThat(LimitNotes.of(ALL, killed, "")).containsExactly("probably reached: cpu time limit 10s");
        assertThat(notes(ALL, ExitStatus.exited(137), "")).isEmpty();
    }

    @Test
    void complaintsOfACommandPointAtItsLimits() {
        assertThat(notes(ALL, ExitStatus.exited(1), "MemoryError"))
                .containsExactly("probably reached: memory limit 512MiB");
        assertThat(notes(ALL, ExitStatus.exited(2), "sh: 0: Cannot fork"))
                .containsExactly("probably reached: process limit 64");
        assertThat(notes(ALL, ExitStatus.exited(1), "x: Too many open files"))
                .containsExactly("probably reached: open files limit 1024");
        assertThat(notes(ALL, ExitStatus.exited(1), "write: File too large"))
                .containsExactly("probably reached: file size limit 1MiB");
    }

    @Test
    void withoutALimitNothingIsSaidOfIt() {
        Limits none = Limits.builder().build();
        assertThat(notes(none, ExitStatus.signaled(25), "MemoryError Cannot fork Too many open files"))
                .isEmpty();
        assertThat(notes(ALL, ExitStatus.exited(1), "syntax error")).isEmpty();
    }
}
