package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.policy.Limits;
import dev.sandbox.linux.spawn.SpawnReport;
import dev.sandbox.linux.spawn.Spawner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Programs of steps, where the usual way does not take them. */
class StepProgramIT {
    private static final StepProgram.Facts FACTS =
            new StepProgram.Facts(ProcessHandle.current().pid(), 0, Capabilities.ofThisProcess());

    private static SpawnRequest.Builder sleeping(String marker) {
        return SpawnRequest.builder()
                .addPrograms("/bin/sleep")
                .addArgv("sleep", "1000")
                .workingDirectory("/")
                .marker(marker);
    }

    /** Where an engine's filter answers clone3 with ENOSYS, nobody is born into a cgroup. */
    @Test
    void whoIsNotBornIntoTheCgroupMovesThere() throws IOException {
        Optional<Path> usable = CgroupDelegation.ofThisProcess().usable();
        assumeTrue(usable.isPresent(), "needs a delegated cgroup");
        String marker = RunMarker.next();
        try (RunCgroup cgroup = RunCgroup.make(usable.get(), marker, LinuxSyscalls.host())) {
            SpawnRequest request = sleeping(marker).cgroup(cgroup).build();
            StepProgram.Plan plan = StepProgram.of(request, new StandardStreams(0, 1, 2), FACTS, Optional.empty());
            try (SpawnReport report = new Spawner().spawn(plan.outermost(), Duration.ofSeconds(30))) {
                assertThat(report.failure()).isEmpty();
                int child = report.pid(plan.child());
                try {
                    assertThat(Files.readAllLines(Path.of("/proc/" + child + "/cgroup")))
                            .anyMatch(line -> line.endsWith("/" + RunCgroup.PREFIX + marker));
                } finally {
                    Orphan.end(child);
                }
            }
        }
    }

    /** What hangs on its way is ended by the step's own time, not by ours; a busy machine still gets enough. */
    @Test
    void theTimeToGetReadyIsTheStepsOwnWithinBounds() {
        assertThat(List.of(Optional.<Duration>empty(), of("PT0.01S"), of("PT5S"), of("PT1H")))
                .extracting(time -> sleeping("x")
                        .limits(Limits.builder().timeout(time).build())
                        .build()
                        .patience())
                .containsExactly(
                        SpawnRequest.MOST_PATIENCE,
                        SpawnRequest.LEAST_PATIENCE,
                        Duration.ofSeconds(5),
                        SpawnRequest.MOST_PATIENCE);
    }

    private static Optional<Duration> of(String time) {
        return Optional.of(Duration.parse(time));
    }
}
