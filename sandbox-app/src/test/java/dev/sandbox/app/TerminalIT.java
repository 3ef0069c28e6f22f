package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.ExitStatus;
import dev.sandbox.domain.isolation.OutputSink.Demand;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.isolation.WindowSize;
import dev.sandbox.domain.result.ExecutionResult;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A step's own terminal, and that without one it cannot reach the caller's. */
@Timeout(300)
final class TerminalIT {
    private static final Duration LONG = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    private SandboxSession open(BackendName backend) {
        return Steps.open(backend, folder, limits -> limits.timeout(LONG));
    }

    private static String printed(SandboxSession session, String command, WindowSize window, String typed) {
        StringBuilder printed = new StringBuilder();
        ExecutionResult result = session.run(
                StepRequest.terminal(Command.shell(command), window),
                new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
                (buffer, offset, length) -> {
                    printed.append(new String(buffer, offset, length, StandardCharsets.UTF_8));
                    return Demand.MORE;
                },
                (buffer, offset, length) -> Demand.MORE);
        assertThat(result.exitCode()).as("%s", printed).isZero();
        return printed.toString().replace("\r\n", "\n");
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void stepHasAControllingTerminalOfTheSizeAskedFor(BackendName backend) {
        try (SandboxSession session = open(backend)) {
            String said = printed(
                    session,
                    "test -t 0 && test -t 1 && test -t 2 && echo terminal; stty size; echo through > /dev/tty",
                    new WindowSize(33, 101),
                    "");
            assertThat(said).isEqualTo("terminal\n33 101\nthrough\n");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void promptIsAnsweredThroughTheStreams(BackendName backend) throws IOException, InterruptedException {
        try (SandboxSession session = open(backend);
                SandboxedProcess process = session.start(StepRequest.terminal(
                        Command.shell(
                                "printf 'Name? ' && read -r name && echo \"hello $name\" && read -r more || echo end"),
                        WindowSize.USUAL))) {
            assertThat(process.stdout().readNBytes(6)).asString().isEqualTo("Name? ");
            OutputStream keys = process.stdin();
            keys.write("you\n".getBytes(StandardCharsets.UTF_8));
            assertThat(process.stdout().readNBytes(5 + 11)).asString().isEqualTo("you\r\nhello you\r\n");
            keys.close();
            assertThat(process.stdout().readAllBytes()).asString().isEqualTo("end\r\n");
            assertThat(process.waitFor(LONG)).contains(ExitStatus.exited(0));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void controlCReachesTheForegroundOfTheStepAlone(BackendName backend) throws IOException, InterruptedException {
        try (SandboxSession session = open(backend);
                SandboxedProcess process = session.start(
                        StepRequest.terminal(Command.shell("echo ready; exec sleep 1000"), WindowSize.USUAL))) {
            assertThat(process.stdout().readNBytes(7)).asString().isEqualTo("ready\r\n");
            process.stdin().write(3);
            assertThat(process.waitFor(LONG)).contains(ExitStatus.signaled(2));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void inputThatEndsWithinALineEndsAllTheSame(BackendName backend) {
        try (SandboxSession session = open(backend)) {
            assertThat(printed(session, "cat; echo end", WindowSize.USUAL, "abc"))
                    .isEqualTo("abcabcend\n");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void anotherSizeReachesTheStep(BackendName backend) throws IOException, InterruptedException {
        try (SandboxSession session = open(backend);
                SandboxedProcess process = session.start(StepRequest.terminal(
                        Command.shell(
                                "trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 1000 & wait; done"),
                        WindowSize.USUAL))) {
            assertThat(process.stdout().readNBytes(7)).asString().isEqualTo("ready\r\n");
            process.resize(new WindowSize(44, 132));
            assertThat(process.stdout().readNBytes(8)).asString().isEqualTo("44 132\r\n");
            assertThat(process.waitFor(LONG)).contains(ExitStatus.exited(0));
            process.resize(WindowSize.USUAL);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void whatIsNoTerminalHasNoSize(BackendName backend) {
        try (SandboxSession session = open(backend);
                SandboxedProcess process = session.start(StepRequest.piped(Command.shell("exec sleep 1000")))) {
            assertThatThrownBy(() -> process.resize(WindowSize.USUAL)).isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#backends")
    void withoutATerminalThereIsNoControllingOne(BackendName backend) {
        try (SandboxSession session = Steps.open(backend, folder, limits -> limits)) {
            ExecutionResult result = session.run(
                    Command.shell("ps -o tty= -p $$ 2>/dev/null; { : > /dev/tty; } 2>/dev/null && echo reached; true"));
            assertThat(result.stdout()).doesNotContain("pts").doesNotContain("reached");
        }
    }

    /** The caller's terminal is one that Python makes, with the command line in it as a shell would start it. */
    private String inATerminalOfTheCaller(String... arguments) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "needs python3");
        Path driver = Files.writeString(folder.resolve("driver.py"), """
                import os, pty, sys, fcntl, termios, struct
                pid, fd = pty.fork()
                if pid == 0:
                    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 132, 0, 0))
                    os.execv(sys.argv[1], sys.argv[1:])
                out = b''
                while True:
                    try:
                        chunk = os.read(fd, 4096)
                    except OSError:
                        break
                    if not chunk:
                        break
                    out += chunk
                    if out == b'ready\\r\\n':
                        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 50, 140, 0, 0))
                sys.stdout.buffer.write(out)
                sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
                """);
        ProcessBuilder builder =
                new ProcessBuilder("/usr/bin/python3", driver.toString(), Sandboxed.PROGRAM.toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process =
                builder.directory(folder.toFile()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.replace("\r\n", "\n");
    }

    @Test
    void typingIntoTheCallersTerminalIsRefused() throws IOException, InterruptedException {
        String push = """
                import fcntl, termios
                for name, request, argument in (('typed', termios.TIOCSTI, b'x'), ('taken', termios.TIOCSCTTY, 1)):
                    try:
                        fcntl.ioctl(0, request, argument)
                        print(name)
                    except OSError:
                        print('not', name)
                """;
        assertThat(inATerminalOfTheCaller("run", "--", "/usr/bin/python3", "-c", push))
                .isEqualTo("not typed\nnot taken\n");
    }

    @Test
    void ttyOptionPassesTheCallersWindowSizeOn() throws IOException, InterruptedException {
        assertThat(inATerminalOfTheCaller("run", "--tty", "-c", "test -t 0 && stty size"))
                .isEqualTo("40 132\n");
    }

    @Test
    void ttyOptionPassesAnotherWindowSizeOn() throws IOException, InterruptedException {
        assertThat(inATerminalOfTheCaller(
                        "run",
                        "--tty",
                        "-c",
                        "trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 1000 & wait; done"))
                .isEqualTo("ready\n50 140\n");
    }
}
