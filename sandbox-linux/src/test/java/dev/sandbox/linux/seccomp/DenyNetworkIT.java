package dev.sandbox.linux.seccomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.linux.Children;
import dev.sandbox.linux.ConfinementSteps;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class DenyNetworkIT {
    private static final String PYTHON = "/usr/bin/python3";

    private static String python(String... lines) {
        assumeTrue(Files.isExecutable(Path.of(PYTHON)));
        try (SeccompStep step = new SeccompStep(SeccompPrograms.denyNetwork())) {
            Children.Outcome outcome = Children.run(Children.program(PYTHON, "-c", String.join("\n", lines))
                    .addConfinement(ConfinementSteps.noNewPrivs(), step));
            assertThat(outcome.err()).isEmpty();
            return outcome.out();
        }
    }

    @Test
    void onlyUnixSocketsCanBeMade() {
        String out = python(
                "import socket",
                "for name, family, kind in [('tcp', 2, 1), ('tcp6', 10, 1), ('udp', 2, 2), ('raw', 2, 3),"
                        + " ('packet', 17, 3), ('netlink', 16, 3), ('vsock', 40, 1), ('unix', 1, 1)]:",
                "  try: socket.socket(family, kind); print(name, 'made')",
                "  except OSError as e: print(name, e.errno)",
                "a, b = socket.socketpair(); a.send(b'x'); print('pair', b.recv(1))");
        assertThat(out.lines())
                .containsExactly(
                        "tcp 13",
                        "tcp6 13",
                        "udp 13",
                        "raw 13",
                        "packet 13",
                        "netlink 13",
                        "vsock 13",
                        "unix made",
                        "pair b'x'");
    }

    @Test
    void ioUringIsRefused() {
        String out = python(
                "import ctypes",
                "libc = ctypes.CDLL(None, use_errno=True)",
                "for n in (425, 426, 427): print(libc.syscall(n, 1, 0, 0, 0, 0, 0), ctypes.get_errno())");
        assertThat(out.lines()).containsExactly("-1 1", "-1 1", "-1 1");
    }
}
