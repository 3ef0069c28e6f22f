package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.isolation.BackendName;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Signals to {@code sandbox run} reach the step as what they are, and the run ends as a program that was so ended would. */
@Timeout(300)
final class SignalsIT {
    /** Whoever runs the tests may ignore signals, as nohup and a shell's {@code &} do, and the command would keep that. */
    private static final List<String> DEFAULT_SIGNALS = List.of("/usr/bin/env", "--default-signal");

    @TempDir
    private Path folder;

    private Process start(BackendName backend, String... arguments) throws IOException {
        Steps.assumeUsable(backend);
        List<String> command = new ArrayList<>(DEFAULT_SIGNALS);
        command.addAll(List.of(Sandboxed.PROGRAM.toString(), "run", "--backend", backend.id()));
        if (backend.equals(BackendName.DOCKER)) {
            command.addAll(List.of("--image", "sandbox-test-busybox"));
        }
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.redirectError(folder.resolve("err").toFile());
        return builder.start();
    }

    private static BufferedReader output(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private static void send(String signal, Process process) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("/bin/kill", "-" + signal, String.valueOf(process.pid()))
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    private String complaints() throws IOException {
        return Files.readString(folder.resolve("err"));
    }

    static Stream<Arguments> endings() {
        return BackendName.standard().stream()
                .flatMap(backend -> Stream.of(
                        Arguments.of(backend, "TERM", 143),
                        Arguments.of(backend, "INT", 130),
                        Arguments.of(backend, "HUP", 129)));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void theStepsTrapRunsAndTheExitCodeNamesTheSignal(BackendName backend, String signal, int code)
            throws IOException, InterruptedException {
        String step = "for s in TERM INT HUP; do trap \"echo trapped $s; exit 7\" $s; done;"
                + " echo ready; while :; do sleep 1000 & wait; done";
        Process process = start(backend, "-c", step);
        BufferedReader output = output(process);
        assertThat(output.readLine()).isEqualTo("ready");
        send(signal, process);
        assertThat(output.readLine()).isEqualTo("trapped " + signal);
        assertThat(process.waitFor()).as(complaints()).isEqualTo(code);
    }

    @ParameterizedTest
    @MethodSource("endings")
    void aStepThatDoesNotObeyIsKilledAfterTheGrace(BackendName backend, String signal, int code)
            throws IOException, InterruptedException {
        Process process = start(backend, "-c", "trap '' " + signal + "; echo ready; sleep 1000; echo late");
        BufferedReader output = output(process);
        assertThat(output.readLine()).isEqualTo("ready");
        send(signal, process);
        assertThat(output.readLine()).isNull();
        assertThat(process.waitFor()).as(complaints()).isEqualTo(code);
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void theObjectSaysTheSame(BackendName backend) throws IOException, InterruptedException {
        Path ready = folder.resolve("ready");
        Process process =
                start(backend, "--json", "--write", ".", "-c", "mkfifo ready; echo ready >ready; exec sleep 1000");
        while (!Files.exists(ready)) {
            Thread.onSpinWait();
        }
        assertThat(Files.readString(ready)).isEqualTo("ready\n");
        send("TERM", process);
        assertThat(output(process).readLine())
                .contains("\"exit_code\":143", "\"termination\":\"cancelled\"", "\"signal\":15");
        assertThat(process.waitFor()).isEqualTo(143);
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void quitReachesTheStepWhichMayGoOn(BackendName backend) throws IOException, InterruptedException {
        String step = "trap 'echo trapped' QUIT; sleep 1000 & echo ready; wait; read -r line; echo \"end $line\"";
        Process process = start(backend, "-c", step);
        BufferedReader output = output(process);
        assertThat(output.readLine()).isEqualTo("ready");
        send("QUIT", process);
        assertThat(output.readLine()).isEqualTo("trapped");
        process.outputWriter().append("more\n").close();
        assertThat(output.readLine()).isEqualTo("end more");
        assertThat(process.waitFor()).as(complaints()).isZero();
        assertThat(complaints()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#nativeBackends")
    void quitEndsAStepThatDoesNotTrapIt(BackendName backend) throws IOException, InterruptedException {
        Process process = start(backend, "-c", "ulimit -c 0; echo ready; exec sleep 1000");
        BufferedReader output = output(process);
        assertThat(output.readLine()).isEqualTo("ready");
        send("QUIT", process);
        assertThat(process.waitFor()).as(complaints()).isEqualTo(131);
        assertThat(complaints()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void atAnyMomentOfTheStartNothingRunsOnAndTheExitCodeNamesTheSignal(BackendName backend)
            throws IOException, InterruptedException {
        int sent = 0;
        for (String signal : List.of("TERM", "INT", "HUP", "QUIT")) {
            for (int pages = 200; pages < 12_000; pages *= 3) {
                Process process = start(backend, "-c", "exec sleep 987654");
                awaitResident(process, pages);
                send(signal, process);
                int number = List.of("HUP", "INT", "QUIT", "TERM").indexOf(signal) + 1;
                assertThat(process.waitFor()).as(signal + complaints()).isEqualTo(128 + (number == 4 ? 15 : number));
                assertThat(complaints()).isEmpty();
                sent++;
            }
        }
        assertThat(sent).isEqualTo(16);
        assertThat(Steps.running("sleep\0987654")).isEmpty();
    }

    /** How far it has come, by what it holds of memory: the shell little, a JVM more and more. */
    private static void awaitResident(Process process, int pages) throws IOException {
        Path statm = Path.of("/proc", String.valueOf(process.pid()), "statm");
        while (process.isAlive() && Integer.parseInt(Files.readString(statm).split(" ")[1]) < pages) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aSignalThatTheCallerIgnoresIsIgnored() {
        Sandboxed.Outcome outcome = Sandboxed.from(folder)
                .under(
                        "/bin/sh",
                        "-c",
                        "mkfifo in out; trap '' HUP; \"$@\" <in >out & exec 3>in 4<out; read -r line <&4; kill -HUP $!; echo go >&3;"
                                + " wait $!",
                        "sh")
                .run("run", "--backend", "landlock", "-c", "echo ready; read -r line; exit 5");
        outcome.ended(5);
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void aReaderThatWentAwayGivesWhatAShellGives(BackendName backend) throws IOException, InterruptedException {
        Process process = start(backend, "-c", "yes");
        BufferedReader output = output(process);
        assertThat(output.readLine()).isEqualTo("y");
        output.close();
        assertThat(process.waitFor()).as(complaints()).isEqualTo(141);
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void aPipeWithinAStepEndsAsInAShell(BackendName backend) throws IOException, InterruptedException {
        Process process = start(backend, "-c", "{ yes; echo $? >&2; } | head -n 1");
        BufferedReader output = output(process);
        assertThat(output.lines().toList()).containsExactly("y");
        assertThat(process.waitFor()).isZero();
        assertThat(complaints()).contains("141");
    }
}
