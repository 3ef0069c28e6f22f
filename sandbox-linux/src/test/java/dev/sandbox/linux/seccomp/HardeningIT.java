package dev.sandbox.linux.seccomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.policy.UserNamespaces;
import dev.sandbox.linux.Children;
import dev.sandbox.linux.Confinement;
import dev.sandbox.linux.seccomp.FilterSettings.Network;
import dev.sandbox.linux.seccomp.FilterSettings.UnixSockets;
import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The filter on real children. */
final class HardeningIT {
    private static final String PYTHON = "/usr/bin/python3";
    private static final String GCC = "/usr/bin/gcc";
    private static final String SOCKETS = """
            import socket
            for name, family, kind, protocol in [('tcp', 2, 1, 0), ('tcp6', 10, 1, 6), ('udp', 2, 2, 0), ('raw', 2, 3, 1), ('mptcp', 2, 1, 262),
                ('packet', 17, 3, 0), ('route', 16, 3, 0), ('audit', 16, 3, 9), ('vsock', 40, 1, 0), ('alg', 38, 5, 0), ('unix', 1, 1, 0)]:
              try: socket.socket(family, kind, protocol); print(name, 'made')
              except OSError as e: print(name, e.errno)
            a, b = socket.socketpair(); a.send(b'x'); print('pair', b.recv(1))
            try: socket.socketpair(1, 2); print('datagrams made')
            except OSError as e: print('datagrams', e.errno)
            """;

    private static Children.Outcome run(FilterSettings settings, String... command) {
        String[] arguments = new String[command.length - 1];
        System.arraycopy(command, 1, arguments, 0, arguments.length);
        return Children.run(Children.program(command[0], arguments)
                .confinement(Confinement.builder()
                        .privileges(Confinement.Privileges.INHERITED)
                        .filter(Filters.of(settings))
                        .build()));
    }

    private static String python(FilterSettings settings, String text) {
        assumeTrue(Files.isExecutable(Path.of(PYTHON)), "needs python3");
        Children.Outcome outcome = run(settings, PYTHON, "-c", text);
        assertThat(outcome.err()).isEmpty();
        return outcome.out();
    }

    private static FilterSettings settings(Network network, UnixSockets unix) {
        return new FilterSettings(network, unix, UserNamespaces.DENY);
    }

    @Test
    void everyCallThatIsDeniedWholeGetsItsErrno() {
        Map<Integer, String> expected = new TreeMap<>();
        for (HardeningRule rule : HardeningRules.of(Filters.USUAL)) {
            for (SyscallNumbers call : rule.calls()) {
                // It hangs up the terminal of whoever runs a test that fails.
                if (rule.cases().isEmpty() && call.isOn(Architecture.host()) && call != SyscallNumbers.VHANGUP) {
                    int errno = rule.refusal() == Refusal.ENOSYS ? 38 : 1;
                    expected.put(call.on(Architecture.host()), "-1 " + errno);
                }
            }
        }
        String said = python(
                Filters.USUAL,
                "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nfor n in " + expected.keySet()
                        + ": print(n, libc.syscall(n, -1, -1, -1, -1, -1, -1), ctypes.get_errno())");
        Map<Integer, String> answers = new TreeMap<>();
        said.lines().map(line -> line.split(" ", 2)).forEach(pair -> answers.put(Integer.valueOf(pair[0]), pair[1]));
        assertThat(answers).isEqualTo(expected).hasSizeGreaterThan(45);
    }

    @Test
    void userNamespacesAndTypingIntoTheTerminalAreNotPermitted() {
        Architecture host = Architecture.host();
        String said = python(
                Filters.USUAL,
                String.join(
                        "\n",
                        "import ctypes, os",
                        "libc = ctypes.CDLL(None, use_errno=True)",
                        "def call(*a): print(libc.syscall(*map(ctypes.c_long, a)), ctypes.get_errno())",
                        "call(" + SyscallNumbers.UNSHARE.on(host) + ", 0x10000000)",
                        "call(" + SyscallNumbers.CLONE.on(host) + ", 0x10000011, 0, 0, 0, 0)",
                        "call(" + SyscallNumbers.IOCTL.on(host) + ", 0, 0x5412, 0)",
                        "call(" + SyscallNumbers.IOCTL.on(host) + ", 0, 0x100005412, 0)",
                        "call(" + SyscallNumbers.IOCTL.on(host) + ", 0, 0x541c, 0)",
                        "import threading, subprocess",
                        "t = threading.Thread(target=lambda: print('thread')); t.start(); t.join()",
                        "print(subprocess.run(['/bin/echo', 'child'], capture_output=True).stdout)"));
        assertThat(said.lines()).containsExactly("-1 1", "-1 1", "-1 1", "-1 1", "-1 1", "thread", "b'child\\n'");
    }

    /** RLIMIT_CPU of one second would kill it. */
    @Test
    void limitsOfAnotherProcessAreOutOfReachAndOnesOwnAreNot() {
        String said = python(Filters.USUAL, """
                import os, resource
                print(resource.prlimit(0, resource.RLIMIT_NOFILE, (64, 64)) is not None)
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                try: resource.prlimit(os.getppid(), resource.RLIMIT_CPU)
                except PermissionError as e: print(e.errno)
                """);
        assertThat(said.lines()).containsExactly("True", "1");
    }

    @Test
    void allowedUserNamespacesAreLeftToTheKernel() {
        FilterSettings allowed = new FilterSettings(Network.OPEN, UnixSockets.OPEN, UserNamespaces.ALLOW);
        Children.Outcome outcome = run(allowed, "/usr/bin/unshare", "--user", "--map-current-user", "/bin/echo", "in");
        assumeTrue(outcome.code() == 0 || !outcome.err().contains("unshare"), "needs user namespaces");
        assertThat(outcome.out()).isEqualTo("in\n");
        assertThat(run(Filters.USUAL, "/usr/bin/unshare", "--user", "/bin/echo", "in")
                        .err())
                .contains("Operation not permitted");
    }

    @Test
    void openNetworkHasTheOrdinarySocketsOnly() {
        assertThat(python(settings(Network.OPEN, UnixSockets.OPEN), SOCKETS).lines())
                .contains("tcp made", "udp made", "route made", "unix made", "pair b'x'", "datagrams made")
                .contains("packet 1", "audit 1", "vsock 1", "alg 1");
    }

    @Test
    void tcpNetworkHasPlainTcpOnly() {
        assertThat(python(settings(Network.TCP, UnixSockets.OPEN), SOCKETS).lines())
                .contains("tcp made", "route made", "unix made", "pair b'x'", "datagrams made")
                .contains("udp 13", "raw 13", "mptcp 13", "packet 1", "audit 1", "vsock 1", "alg 1");
    }

    @Test
    void closedNetworkHasUnixSocketsOnly() {
        assertThat(python(settings(Network.CLOSED, UnixSockets.OPEN), SOCKETS).lines())
                .containsExactly(
                        "tcp 13",
                        "tcp6 13",
                        "udp 13",
                        "raw 13",
                        "mptcp 13",
                        "packet 13",
                        "route 13",
                        "audit 13",
                        "vsock 13",
                        "alg 13",
                        "unix made",
                        "pair b'x'",
                        "datagrams made");
    }

    @Test
    void requiredUnixScopeHasPairsOfStreamsOnly() {
        assertThat(python(settings(Network.CLOSED, UnixSockets.PAIRS), SOCKETS).lines())
                .endsWith("unix 13", "pair b'x'", "datagrams 13");
    }

    @Test
    void aCallOfAnotherArchitectureKillsTheProcess(@TempDir Path folder) throws Exception {
        if (Architecture.host() != Architecture.X86_64) {
            return; // No compiler of a 64-bit ARM makes a 32-bit call.
        }
        assumeTrue(Files.isExecutable(Path.of(GCC)), "needs gcc");
        Path source = Files.writeString(
                folder.resolve("i386.c"),
                "int main(void) { int r; __asm__ volatile(\"int $0x80\" : \"=a\"(r) : \"a\"(20)); return r > 0 ? 0 : 9; }\n");
        Path program = folder.resolve("i386");
        assertThat(Children.run(Children.program(GCC, "-o", program.toString(), source.toString()))
                        .code())
                .isZero();
        // 128 + SIGSYS; SIGSEGV where the kernel was built without that ABI.
        assertThat(run(Filters.USUAL, program.toString()).code()).isIn(128 + 31, 128 + 11);
    }
}
