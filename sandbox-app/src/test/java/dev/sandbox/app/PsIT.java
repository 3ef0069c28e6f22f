package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sandbox.linux.ControlFolder;
import dev.sandbox.linux.HostLedger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code sandbox ps} in one shell, while another runs something. */
@Timeout(300)
final class PsIT {
    @TempDir
    private Path folder;

    /** Ends with its input. */
    private Process start(String command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(Sandboxed.PROGRAM.toString(), "run", "-c", command)
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        while (listed(command).isEmpty()) {
            assertThat(process.isAlive()).isTrue();
            Thread.onSpinWait();
        }
        return process;
    }

    private static List<HostLedger.Entry> listed(String command) {
        return HostLedger.all().stream()
                .filter(entry -> entry.step().command().equals(command))
                .toList();
    }

    @Test
    void whatAnotherShellRunsIsListedUntilItEnds() throws IOException, InterruptedException {
        String command = "read line # " + folder.getFileName();
        Process process = start(command);
        try {
            Sandboxed.Outcome table = Sandboxed.from(folder).run("ps").ended(0);
            Sandboxed.Outcome json = Sandboxed.from(folder).run("ps", "--json").ended(0);

            assertThat(table.out()).startsWith("ID ").contains(command);
            List<JsonNode> steps = new ArrayList<>();
            for (JsonNode each : new ObjectMapper().readTree(json.out()).path("steps")) {
                if (each.path("command").asText().equals(command)) {
                    steps.add(each);
                }
            }
            assertThat(steps).hasSize(1);
            JsonNode step = steps.get(0);
            assertThat(step.path("id").asText()).startsWith(process.pid() + ".");
            assertThat(step.path("backend").asText()).isIn("landlock", "mountns");
            assertThat(step.path("age_ms").asLong()).isNotNegative();
            assertThat(Path.of("/proc", step.path("pid").asText())).exists();
        } finally {
            process.getOutputStream().close();
        }
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(listed(command)).isEmpty();
        assertThat(Sandboxed.from(folder).run("ps").ended(0).out())
                .startsWith("ID ")
                .doesNotContain(command);
    }

    @Test
    void whatAKilledProcessRanIsNotListed() throws IOException, InterruptedException {
        String command = "read line # killed " + folder.getFileName();
        Process process = start(command);

        process.destroyForcibly().waitFor();

        assertThat(listed(command)).isEmpty();
    }

    @Test
    void noOtherAccountMayRead() throws IOException {
        Process process = start("read line # private " + folder.getFileName());
        try {
            Path own = Path.of(ControlFolder.ofThisAccount().records().toString());
            assertThat(Files.getPosixFilePermissions(own)).hasSize(3);
        } finally {
            process.getOutputStream().close();
        }
    }
}
