package dev.sandbox.landlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.landlock.LandlockAbi;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each older ABI by real children: what it promises holds, and what it lacks is refused before anything runs, never left out. */
final class OlderAbiIT {
    private static final String PYTHON = "/usr/bin/python3";
    private static final int TRUNCATE = 3;

    @TempDir
    private Path folder;

    @BeforeEach
    void needsTheNewestThatIsPretended() {
        assumeTrue(
                LandlockAbi.query(LinuxSyscalls.host())
                        .filter(abi -> abi.atLeast(LandlockAbi.SCOPES))
                        .isPresent(),
                "needs Landlock ABI 6");
    }

    private Fixture kernelOf(int abi) {
        return new Fixture(folder, new LinuxSyscalls(new PretendedAbi(abi)), List.of(), Map.of());
    }

    private static void refuses(
            Fixture kernel, UnaryOperator<SandboxPolicy.Builder> rules, Guarantee lacking, String remedy) {
        SandboxPolicy policy = kernel.policy(it -> rules.apply(it.addWritePaths("out")));
        assertThatThrownBy(() -> kernel.sandbox().run(policy, Command.shell("touch out/ran")))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining(lacking.id())
                .hasMessageContaining(remedy);
        assertThat(kernel.path("out/ran")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void itPromisesItsColumnOfTheTable(int abi) {
        BackendAssessment assessment = kernelOf(abi).sandbox().backends().get(0).assess();

        assertThat(assessment.detail()).isEqualTo("filesystem ABI " + abi + ", errata 0; preflight passed");
        Map<Guarantee, Boolean> column = Map.of(
                Guarantee.FS_READ,
                true,
                Guarantee.FS_WRITE,
                abi >= TRUNCATE,
                Guarantee.NET_NONE,
                true,
                Guarantee.NET_TCP,
                abi >= LandlockAbi.NETWORK,
                Guarantee.SIGNAL_SCOPE,
                abi >= LandlockAbi.SCOPES,
                Guarantee.FS_CARVE_OUT,
                false);
        column.forEach(
                (guarantee, held) -> assertThat(assessment.promise(guarantee).isHeld())
                        .as(guarantee.id())
                        .isEqualTo(held));
        assertThat(assessment.promise(Guarantee.UNIX_SCOPE).isAvailable()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void beforeTruncationIsGovernedNothingRuns(int abi) {
        refuses(kernelOf(abi), policy -> policy, Guarantee.FS_WRITE, "a kernel from 6.2 on");
    }

    /** Every way to cut a file that may only be read, and every other change of it. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 6})
    void filesHold(int abi) {
        Fixture kernel =
                kernelOf(abi).file("in/a", "keep").file("other/secret", "leak").file("out/from/x", "moved");

        ExecutionResult result =
                kernel.run("""
                truncate -s 0 in/a; (: > in/a); dd if=/dev/null of=in/a 2>/dev/null
                /usr/bin/python3 -c 'import os; os.open("in/a", os.O_RDONLY | os.O_TRUNC)'
                rm in/a; mv in/a out/; ln in/a out/hard; echo x >> in/a; echo x > in/new
                cat other/secret; ls other; echo x > other/new
                mkdir out/to && mv out/from/x out/to/x && cat out/to/x
                """, policy -> policy.addReadPaths("in").addWritePaths("out"));

        assertThat(result.stdout()).isEqualTo("moved");
        assertThat(kernel.read("in/a")).isEqualTo("keep");
        assertThat(kernel.path("in/new")).doesNotExist();
        assertThat(kernel.path("other/new")).doesNotExist();
        assertThat(kernel.path("out/hard")).doesNotExist();
        assertThat(kernel.path("out/to/x")).exists();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 6})
    void namedPortsHoldOrAreRefused(int abi) throws IOException {
        Fixture kernel = kernelOf(abi);
        try (ServerSocket named = server();
                ServerSocket other = server()) {
            NetworkPolicy network = NetworkPolicy.builder()
                    .mode(NetworkPolicy.Mode.TCP)
                    .addTcpConnect(named.getLocalPort())
                    .build();
            if (abi < LandlockAbi.NETWORK) {
                refuses(kernel, policy -> policy.network(network), Guarantee.NET_TCP, "a kernel from 6.7 on");
            } else {
                assertThat(connecting(kernel, policy -> policy.network(network), named, other))
                        .containsExactly("done", "13");
            }
            assertThat(connecting(kernel, policy -> policy.network(NetworkPolicy.none()), named, other))
                    .containsExactly("13", "13");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 6})
    void signalsAreScopedOrRefused(int abi) {
        Fixture kernel = kernelOf(abi);
        String signal = "kill -0 " + ProcessHandle.current().pid() + " && echo reached";
        if (abi < LandlockAbi.SCOPES) {
            refuses(kernel, policy -> policy.addRequire(Guarantee.SIGNAL_SCOPE), Guarantee.SIGNAL_SCOPE, "6.12");
            // So the refusal is not for nothing.
            assertThat(kernel.run(signal, policy -> policy).stdout()).isEqualTo("reached\n");
        } else {
            ExecutionResult result = kernel.run(signal, policy -> policy.addRequire(Guarantee.SIGNAL_SCOPE));
            assertThat(result.stdout()).isEmpty();
            assertThat(result.guarantees()).contains(Guarantee.SIGNAL_SCOPE);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 6})
    void unixSocketsAreGoneWhereThatIsRequired(int abi) throws IOException {
        Fixture kernel = kernelOf(abi);
        Files.createDirectories(kernel.path("out"));
        String path = kernel.path("out/s").toString();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            String connect = "socket.socket(socket.AF_UNIX).connect('" + path + "')";

            assertThat(attempts(kernel, policy -> policy.addRequire(Guarantee.UNIX_SCOPE), connect))
                    .containsExactly("13");
            assertThat(attempts(kernel, policy -> policy, connect)).containsExactly("done");
        }
    }

    private static ServerSocket server() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static List<String> connecting(
            Fixture kernel, UnaryOperator<SandboxPolicy.Builder> rules, ServerSocket... servers) {
        String[] calls = new String[servers.length];
        for (int i = 0; i < servers.length; i++) {
            calls[i] = "socket.socket().connect(('127.0.0.1', " + servers[i].getLocalPort() + "))";
        }
        return attempts(kernel, rules, calls);
    }

    /** Of each call "done" or its errno. */
    private static List<String> attempts(Fixture kernel, UnaryOperator<SandboxPolicy.Builder> rules, String... calls) {
        assumeTrue(Files.isExecutable(Path.of(PYTHON)), "needs python3");
        StringBuilder script = new StringBuilder("import socket\n");
        for (String call : calls) {
            script.append("try: ").append(call).append("; print('done')\nexcept OSError as e: print(e.errno)\n");
        }
        kernel.file("out/try.py", script.toString());
        ExecutionResult result = kernel.run(PYTHON + " out/try.py", policy -> rules.apply(policy.addWritePaths("out")));
        return result.stdout().lines().toList();
    }
}
