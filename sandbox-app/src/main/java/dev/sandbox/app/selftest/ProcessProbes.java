package dev.sandbox.app.selftest;

import static dev.sandbox.app.selftest.ProbeCalls.bytes;
import static dev.sandbox.app.selftest.ProbeCalls.number;
import static dev.sandbox.app.selftest.ProbeCalls.result;
import static dev.sandbox.app.selftest.ProbeCalls.text;
import static dev.sandbox.app.selftest.ProbeCalls.unixAddress;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Net;
import dev.sandbox.linux.uapi.Rlimit;
import dev.sandbox.linux.uapi.SyscallNumbers;
import dev.sandbox.linux.uapi.Tty;
import java.util.List;

/** Attacks on other processes: by signals, by /proc, by sockets, by a terminal, and by what the environment tells. */
final class ProcessProbes {
    private static final Claim CALLER = Claim.always("the caller is not looked into");
    private static final Claim ENVIRONMENT = Claim.always("secrets of the environment are not handed on");
    private static final Claim TERMINAL = Claim.always("the caller's terminal is out of reach");
    private static final Claim SIGNALS = Claim.of(Guarantee.SIGNAL_SCOPE);
    private static final Claim SOCKETS = Claim.of(Guarantee.UNIX_SCOPE);

    private static final int PTRACE_SEIZE = 0x4206;

    private ProcessProbes() {}

    static List<Probe> of(Scene scene) {
        ProbeGroup group = new ProbeGroup(scene, Setting.PLAIN, "proc")
                .calls(
                        "signal",
                        SIGNALS,
                        "signal the caller",
                        new ProbeCalls().call(SyscallNumbers.KILL, number(scene.callerPid()), number(0)),
                        Evidence.unlessDenied())
                .calls(
                        "limits",
                        SIGNALS,
                        "reach the caller's limits, one of which can kill",
                        new ProbeCalls()
                                .call(
                                        SyscallNumbers.PRLIMIT64,
                                        number(scene.callerPid()),
                                        number(Rlimit.RLIMIT_NOFILE),
                                        number(0),
                                        ProbeCalls.buffer()),
                        Evidence.unlessDenied())
                .calls(
                        "ptrace",
                        CALLER,
                        "trace the caller",
                        new ProbeCalls().call(SyscallNumbers.PTRACE, number(PTRACE_SEIZE), number(scene.callerPid())),
                        Evidence.unlessDenied())
                .calls(
                        "pidfd_getfd",
                        CALLER,
                        "take a descriptor from the caller",
                        new ProbeCalls()
                                .call(SyscallNumbers.PIDFD_OPEN, number(scene.callerPid()), number(0))
                                .call(SyscallNumbers.PIDFD_GETFD, result(0), number(scene.descriptor()), number(0)),
                        Evidence.unlessDenied())
                .script("environ", CALLER, "read the caller's environment", """
                        any() { head -c 4 "/proc/$caller/environ" | grep -q .; }
                        verdict any
                        """)
                .script("cmdline", Claim.of(Guarantee.PROC_PRIVATE), "read the caller's command line", """
                        any() { head -c 4 "/proc/$caller/cmdline" | grep -q .; }
                        verdict any
                        """)
                .script("list", Claim.of(Guarantee.PROC_PRIVATE), "see that the caller exists", """
                        verdict test -e "/proc/$caller"
                        """)
                .script(
                        "tree",
                        Claim.of(Guarantee.KILL_TREE),
                        "leave a process behind",
                        """
                        setsid sleep "$(echo 7)$caller" </dev/null >/dev/null 2>&1 & echo started
                        """,
                        (result, victims) -> victims.leftBehind());
        group.script(
                "tree_hidden",
                Claim.of(Guarantee.KILL_TREE),
                "leave a process behind that empties its environment",
                """
                (env -i setsid sleep "$(echo 7)$caller" </dev/null >/dev/null 2>&1 &) & wait; echo started
                """,
                (result, victims) -> victims.leftBehind());
        environment(group);
        return group.probes();
    }

    private static void environment(ProbeGroup group) {
        group.script("env_secret", ENVIRONMENT, "find a secret in the environment", """
                        secret() { env | grep -q "$word"; }
                        verdict secret
                        """)
                .script("env_loader", ENVIRONMENT, "find the caller's loader variables", """
                        loader() { env | grep -q '^LD_'; }
                        verdict loader
                        """);
    }

    /** Attacks by sockets and the terminal. */
    static List<Probe> channels(Scene scene) {
        return new ProbeGroup(scene, Setting.PLAIN, "ipc")
                .calls(
                        "abstract",
                        SOCKETS,
                        "connect to an abstract socket",
                        connect("\0" + scene.abstractSocket()),
                        Evidence.unlessDenied())
                .calls(
                        "pathname",
                        SOCKETS,
                        "connect to a socket file outside",
                        connect(scene.outside() + "/socket"),
                        Evidence.unlessDenied())
                .calls(
                        "terminal",
                        TERMINAL,
                        "type into the caller's terminal",
                        new ProbeCalls()
                                .call(
                                        SyscallNumbers.OPENAT,
                                        number(Fcntl.AT_FDCWD),
                                        text("/dev/tty"),
                                        number(Fcntl.O_RDWR))
                                .call(SyscallNumbers.IOCTL, result(0), number(Tty.TIOCSTI), text("x")),
                        Evidence.unlessDenied())
                .probes();
    }

    private static ProbeCalls connect(String name) {
        byte[] address = unixAddress(name);
        return new ProbeCalls()
                .call(SyscallNumbers.SOCKET, number(Net.AF_UNIX), number(Net.SOCK_STREAM), number(0))
                .call(SyscallNumbers.CONNECT, result(0), bytes(address), number(address.length));
    }
}
