package dev.sandbox.mountns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.testkit.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What shares its memory with children goes on as ever: every collector, many threads, many files, and those who look into it. */
class AnyJvmIT {
    private static final String WELL = "256 steps ended well, dumpable: true";

    private static Process start(int files, String threads, String... options) throws IOException {
        ProcessBuilder jvm = ChildJvm.of(ManySteps.class, String.valueOf(files), threads);
        jvm.command().addAll(1, List.of(options));
        return jvm.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static void endsWell(Process jvm) throws IOException, InterruptedException {
        try (BufferedReader said = jvm.inputReader(StandardCharsets.UTF_8)) {
            assertThat(said.readLine()).isEqualTo(WELL);
            jvm.getOutputStream().close();
            assertThat(jvm.waitFor()).isZero();
        } finally {
            jvm.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseSerialGC", "-XX:+UseG1GC", "-XX:+UseParallelGC", "-XX:+UseZGC"})
    void everyCollectorBearsStepsOfSixtyFourThreads(String collector) throws Exception {
        endsWell(start(0, "platform", collector, "-Xmx256m"));
    }

    @Test
    void manyOpenFilesAndACommittedHeapAreNoMatter() throws Exception {
        endsWell(start(9_000, "platform", "-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"));
    }

    @Test
    void virtualThreadsMayCall() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "needs Java 21 or later");
        endsWell(start(0, "virtual"));
    }

    @Test
    void theJvmIsRecordedAndLookedIntoAsEver() throws Exception {
        Path recording = Files.createTempFile("steps", ".jfr");
        Process jvm = start(0, "platform", "-XX:StartFlightRecording=filename=" + recording + ",settings=profile");
        try (BufferedReader said = jvm.inputReader(StandardCharsets.UTF_8)) {
            String line = said.readLine();
            while (line != null && !line.equals(WELL)) {
                line = said.readLine();
            }
            assertThat(line).isEqualTo(WELL);
            Process jcmd = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            String.valueOf(jvm.pid()),
                            "Thread.print")
                    .redirectErrorStream(true)
                    .start();
            assertThat(new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("\"main\"", "sandbox-spawn-");
            jvm.getOutputStream().close();
            assertThat(jvm.waitFor()).isZero();
            assertThat(Files.size(recording)).isPositive();
        } finally {
            jvm.destroyForcibly();
            Files.deleteIfExists(recording);
        }
    }
}
