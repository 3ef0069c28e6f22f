package dev.sandbox.landlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.UserNamespaces;
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
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What files have no part in: ports, unix sockets, namespaces, and calls that no step needs. */
final class LandlockHardeningIT {
    private static final String TRY = """
                    import ctypes, os, socket
                    def attempt(name, f):
                      try: f(); print(name, 'done')
                      except OSError as e: print(name, e.errno)
                    def tcp(): return socket.socket(socket.AF_INET, socket.SOCK_STREAM)
                    def bind(port):
                      s = tcp(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); s.bind(('127.0.0.1', port))
                    """;

    @TempDir
    private Path folder;

    private Fixture fixture;

    @BeforeEach
    void makeFixture() throws IOException {
        fixture = new Fixture(Files.createDirectory(folder.resolve("base")));
        fixture.file("w/x", "");
    }

    private ExecutionResult python(UnaryOperator<SandboxPolicy.Builder> rules, String... lines) throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "needs python3");
        fixture.file("w/try.py", TRY + String.join("\n", lines) + "\n");
        return fixture.run("/usr/bin/python3 w/try.py", policy -> rules.apply(policy.addWritePaths("w")));
    }

    private static void needsPorts() {
        assumeTrue(
                LandlockAbi.query(LinuxSyscalls.host())
                        .filter(abi -> abi.atLeast(LandlockAbi.NETWORK))
                        .isPresent(),
                "needs Landlock ABI 4");
    }

    private static ServerSocket server() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static int freePort() throws IOException {
        try (ServerSocket closed = server()) {
            return closed.getLocalPort();
        }
    }

    @Test
    void onlyNamedPortsAreReachedAndByConnectAlone() throws IOException {
        needsPorts();
        try (ServerSocket named = server();
                ServerSocket other = server()) {
            int bindable = freePort();
            NetworkPolicy network = NetworkPolicy.builder()
                    .mode(NetworkPolicy.Mode.TCP)
                    .addTcpConnect(named.getLocalPort())
                    .addTcpBind(bindable)
                    .build();
            String at = "('127.0.0.1', " + other.getLocalPort() + ")";

            ExecutionResult result = python(
                    policy -> policy.network(network),
                    "attempt('named', lambda: tcp().connect(('127.0.0.1', " + named.getLocalPort() + ")))",
                    "attempt('other', lambda: tcp().connect(" + at + "))",
                    "attempt('fast', lambda: tcp().sendto(b'x', socket.MSG_FASTOPEN, " + at + "))",
                    "attempt('fastmsg', lambda: tcp().sendmsg([b'x'], [], socket.MSG_FASTOPEN, " + at + "))",
                    "attempt('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))",
                    "attempt('raw', lambda: socket.socket(socket.AF_INET6, socket.SOCK_RAW, 58))",
                    "attempt('mptcp', lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262))",
                    "attempt('bind', lambda: bind(" + bindable + "))",
                    "attempt('bind-other', lambda: bind(" + other.getLocalPort() + "))",
                    "socket.getaddrinfo('localhost', 80)",
                    "raise SystemExit(3)");

            assertThat(result.stdout().lines())
                    .containsExactly(
                            "named done",
                            "other 13",
                            "fast 1",
                            "fastmsg 1",
                            "udp 13",
                            "raw 13",
                            "mptcp 13",
                            "bind done",
                            "bind-other 13");
            assertThat(result.guarantees()).contains(Guarantee.NET_TCP);
            assertThat(result.notes()).anyMatch(note -> note.contains("UDP is closed"));
        }
    }

    @Test
    void domainsAreRefused() {
        NetworkPolicy domains = NetworkPolicy.builder()
                .mode(NetworkPolicy.Mode.DOMAINS)
                .addDomains("example.org")
                .build();
        assertThatThrownBy(() -> fixture.run(
                        "touch w/ran", policy -> policy.addWritePaths("w").network(domains)))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("net.domains");
        assertThat(fixture.path("w/ran")).doesNotExist();
    }

    @Test
    void requiredUnixScopeReachesNoSocketAtAPathAndKeepsPairs() throws IOException {
        String path = fixture.path("w/s").toString();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            String[] lines = {
                "attempt('connect', lambda: socket.socket(socket.AF_UNIX).connect('" + path + "'))",
                "attempt('pair', lambda: socket.socketpair())",
                "attempt('datagrams', lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))"
            };

            ExecutionResult required = python(policy -> policy.addRequire(Guarantee.UNIX_SCOPE), lines);
            assertThat(required.stdout().lines()).containsExactly("connect 13", "pair done", "datagrams 13");
            assertThat(required.guarantees()).contains(Guarantee.UNIX_SCOPE);

            ExecutionResult usual = python(policy -> policy, lines);
            assertThat(usual.stdout().lines()).containsExactly("connect done", "pair done", "datagrams done");
            assertThat(usual.guarantees()).doesNotContain(Guarantee.UNIX_SCOPE);
        }
    }

    @Test
    void userNamespacesAreDeniedUnlessThePolicyAllowsThem() throws IOException {
        String[] lines = {
            "libc = ctypes.CDLL(None, use_errno=True)",
            "pid = os.fork()",
            "if pid == 0: os._exit(ctypes.get_errno() if libc.unshare(0x10000000) else 0)",
            "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))"
        };
        assertThat(python(policy -> policy, lines).stdout()).isEqualTo("1\n");
        ExecutionResult allowed = python(policy -> policy.userNamespaces(UserNamespaces.ALLOW), lines);
        assumeTrue(allowed.stdout().equals("0\n"), "needs user namespaces");
    }

    @Test
    void hardeningHoldsWithAnOpenNetwork() throws IOException {
        ExecutionResult result = python(
                policy -> policy,
                "libc = ctypes.CDLL(None, use_errno=True)",
                "for n in (425, 426, 427, 438): print(libc.syscall(n, -1, -1, -1, -1, -1, -1), ctypes.get_errno())",
                "attempt('vsock', lambda: socket.socket(40, 1))",
                "attempt('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))");
        assertThat(result.stdout().lines()).containsExactly("-1 1", "-1 1", "-1 1", "-1 1", "vsock 1", "udp done");
    }

    @Test
    void planTellsEveryRuleAndItsProgram() {
        RulesetPlan plan =
                (RulesetPlan) fixture.sandbox().plan(fixture.policy(policy -> policy.network(NetworkPolicy.none())));
        assertThat(plan.lines())
                .contains(
                        "seccomp: deny net.none (EACCES): every socket but unix ones",
                        "seccomp: deny io_uring (EPERM): every io_uring call");
        assertThat(plan.listing()).hasSizeGreaterThan(100).first().asString().isEqualTo("0: ld [4]");
        assertThat(plan.document().get("seccomp")).asString().contains("io_uring", "ld [0]");
    }
}
