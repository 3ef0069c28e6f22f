package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.isolation.WindowSize;
import dev.sandbox.domain.policy.HostDevice;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.result.Denial;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Terminals, shared memory and temporary files of programs that know no place but /dev and /tmp. */
final class DevicesIT {
    private static final String PYTHON = "/usr/bin/python3";
    private static final String SPAWN_ON_TERMINAL =
            PYTHON + " -c 'import pty, sys; sys.exit(pty.spawn([\"/bin/echo\", \"on a terminal\"]))'";
    private static final String POOL = """
            import multiprocessing as m
            from multiprocessing import shared_memory
            def square(x): return x * x
            if __name__ == "__main__":
                with m.Pool(2) as pool: print(pool.map(square, range(4)))
                memory = shared_memory.SharedMemory(create=True, size=16)
                memory.close(); memory.unlink()
            """;

    @TempDir(factory = ShortTempDir.class)
    private Path folder;

    @BeforeEach
    void needsPython() {
        assumeTrue(Files.isExecutable(Path.of(PYTHON)), "needs python3");
    }

    private SandboxPolicy.Builder policy(BackendName backend) {
        Steps.assumeUsable(backend);
        return Steps.policy(backend, folder).addWritePaths(".");
    }

    private static ExecutionResult run(SandboxPolicy.Builder policy, String command) {
        return Steps.SANDBOX.run(policy.build(), Command.shell(command));
    }

    @Test
    void inAMountNamespaceTerminalsAndSharedMemoryAreTheStepsOwn() throws IOException {
        Files.writeString(folder.resolve("pool.py"), POOL);
        ExecutionResult result =
                run(policy(BackendName.MOUNTNS), SPAWN_ON_TERMINAL + " && " + PYTHON + " pool.py && ls /dev/pts");

        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.stdout().replace("\r", "")).isEqualTo("on a terminal\n[0, 1, 4, 9]\nptmx\n");
    }

    @Test
    void landlockGivesNoTerminalUnlessAskedAndSaysHow() {
        ExecutionResult result = run(policy(BackendName.LANDLOCK), SPAWN_ON_TERMINAL);
        assertThat(result.exitCode()).isNotZero();
        assertThat(result.denials()).extracting(Denial::fix).contains("host_devices: [pty]");

        ExecutionResult shared = run(policy(BackendName.LANDLOCK).addHostDevices(HostDevice.PTY), SPAWN_ON_TERMINAL);
        assertThat(shared.exitCode()).as("%s", shared).isZero();
        assertThat(shared.stdout().trim()).isEqualTo("on a terminal");
    }

    @Test
    void landlockGivesNoSharedMemoryUnlessAskedAndSaysHow() throws IOException {
        Files.writeString(folder.resolve("pool.py"), POOL);
        ExecutionResult result = run(policy(BackendName.LANDLOCK), PYTHON + " pool.py");
        assertThat(result.exitCode()).isNotZero();
        assertThat(result.denials()).extracting(Denial::fix).contains("host_devices: [shm]");

        ExecutionResult shared = run(policy(BackendName.LANDLOCK).addHostDevices(HostDevice.SHM), PYTHON + " pool.py");
        assertThat(shared.exitCode()).as("%s", shared).isZero();
        assertThat(shared.stdout()).isEqualTo("[0, 1, 4, 9]\n");
    }

    /** Why the host's are not shared by default: the step would reach every terminal of its account. */
    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#nativeBackends")
    void anotherTerminalOfTheAccountIsOutOfReachUnlessTheHostsAreShared(BackendName backend) throws IOException {
        try (Terminal others = Terminal.of(
                        StepRequest.terminal(Command.of("true"), WindowSize.USUAL), LinuxSyscalls.host())
                .orElseThrow()) {
            Path name = Files.readSymbolicLink(
                    Path.of("/proc/self/fd/" + others.theirs().number()));
            assertThat(name).startsWith(Path.of("/dev/pts"));
            String attack = "(exec 3<> " + name + ") && echo opened";

            assertThat(run(policy(backend), attack).stdout()).isEmpty();
            boolean reached = run(policy(backend).addHostDevices(HostDevice.PTY), attack)
                    .stdout()
                    .equals("opened\n");
            assertThat(reached).isEqualTo(backend.equals(BackendName.LANDLOCK));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#nativeBackends")
    void javaMakesTemporaryFiles(BackendName backend) throws IOException {
        Path java = Path.of(System.getProperty("java.home"));
        Files.writeString(folder.resolve("T.java"), """
                public class T {
                    public static void main(String[] arguments) throws Exception {
                        System.out.println(java.io.File.createTempFile("some", "thing").delete());
                    }
                }
                """);

        ExecutionResult result = run(policy(backend).addExtraSystemPaths(java.toString()), java + "/bin/java T.java");

        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.stdout()).isEqualTo("true\n");
        assertThat(result.stderr().isEmpty())
                .as("only where it must, for java says that it was told: %s", result.stderr())
                .isEqualTo(backend.equals(BackendName.MOUNTNS));
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#nativeBackends")
    void tmuxFindsAPlaceForItsSocket(BackendName backend) {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/tmux")), "needs tmux");
        ExecutionResult result = run(
                policy(backend).addHostDevices(HostDevice.PTY),
                "tmux new-session -d 'echo inside > out; tmux wait-for -S done' \\; wait-for done; cat out;"
                        + " tmux kill-server");

        assertThat(result.stdout()).as("%s", result).isEqualTo("inside\n");
    }

    @ParameterizedTest
    @MethodSource("dev.sandbox.app.Steps#nativeBackends")
    void processesLookAtThemselves(BackendName backend) {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/ps")), "needs procps");
        ExecutionResult result =
                run(policy(backend), "ps -o comm= -p $$; cat /proc/self/comm; test -r /proc/self/maps");

        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.stdout()).isEqualTo("sh\ncat\n");
    }
}
