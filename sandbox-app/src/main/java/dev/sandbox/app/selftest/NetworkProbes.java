package dev.sandbox.app.selftest;

import static dev.sandbox.app.selftest.ProbeCalls.bytes;
import static dev.sandbox.app.selftest.ProbeCalls.loopback;
import static dev.sandbox.app.selftest.ProbeCalls.number;
import static dev.sandbox.app.selftest.ProbeCalls.result;
import static dev.sandbox.app.selftest.ProbeCalls.text;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Net;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.List;

/** Attacks on what {@code network} leaves out. Nothing is ever sent further than this machine. */
final class NetworkProbes {
    private static final Claim NONE = Claim.of(Guarantee.NET_NONE);
    private static final Claim PORTS = Claim.of(Guarantee.NET_TCP);

    private NetworkProbes() {}

    static List<Probe> of(Scene scene) {
        return new ProbeGroup(scene, Setting.OFFLINE, "net")
                .calls("tcp", NONE, "connect to the host's loopback", connect(scene, 0), Evidence.unlessDenied())
                .calls(
                        "mptcp",
                        NONE,
                        "the same by multipath TCP",
                        connect(scene, Net.IPPROTO_MPTCP),
                        Evidence.unlessDenied())
                .calls("udp", NONE, "send a datagram to the host's loopback", datagram(scene), NetworkProbes::received)
                .calls(
                        "raw",
                        NONE,
                        "open a raw socket",
                        new ProbeCalls()
                                .call(
                                        SyscallNumbers.SOCKET,
                                        number(Net.AF_INET),
                                        number(Net.SOCK_RAW),
                                        number(Net.IPPROTO_ICMP)),
                        Evidence.unlessDenied())
                .script("dns", NONE, "find a way to the name server", """
                        server=$(sed -n 's/^nameserver *//p' /etc/resolv.conf | head -n 1)
                        case $server in
                            ''|127.*|::1|*:*) echo UNTRIED the name server is this machine or has no IPv4 address; exit ;;
                        esac
                        hex=$(printf '%02x' $(echo "$server" | tr . ' '))
                        "$readonly/probe" SOCKET 2 2 0 , CONNECT @0 "%02000035${hex}0000000000000000" 16 ,
                        case $? in 0) echo ESCAPED ;; *) echo DENIED ;; esac
                        """.replace("SOCKET", nr(SyscallNumbers.SOCKET))
                        .replace("CONNECT", nr(SyscallNumbers.CONNECT)))
                .probes();
    }

    /** Attacks on {@code network: tcp:PORT}. */
    static List<Probe> ports(Scene scene) {
        return new ProbeGroup(scene, Setting.ONE_PORT, "port")
                .calls("tcp", PORTS, "connect to another port", connect(scene, 0), Evidence.unlessDenied())
                .calls(
                        "mptcp",
                        PORTS,
                        "the same by multipath TCP",
                        connect(scene, Net.IPPROTO_MPTCP),
                        Evidence.unlessDenied())
                .calls("fast_open", PORTS, "the same by sending first", fastOpen(scene), Evidence.unlessDenied())
                .calls("udp", PORTS, "send a datagram", datagram(scene), NetworkProbes::received)
                .probes();
    }

    private static Finding received(ExecutionResult result, Victims victims) {
        return victims.received() ? Finding.escaped("") : Finding.denied();
    }

    private static String nr(SyscallNumbers call) {
        return Integer.toString(call.on(Architecture.host()));
    }

    private static ProbeCalls connect(Scene scene, int protocol) {
        byte[] address = loopback(scene.tcpPort());
        return new ProbeCalls()
                .call(SyscallNumbers.SOCKET, number(Net.AF_INET), number(Net.SOCK_STREAM), number(protocol))
                .call(SyscallNumbers.CONNECT, result(0), bytes(address), number(address.length));
    }

    private static ProbeCalls datagram(Scene scene) {
        return sending(Net.SOCK_DGRAM, scene.udpPort(), 0);
    }

    private static ProbeCalls fastOpen(Scene scene) {
        return sending(Net.SOCK_STREAM, scene.tcpPort(), Net.MSG_FASTOPEN);
    }

    private static ProbeCalls sending(int type, int port, int flags) {
        byte[] address = loopback(port);
        return new ProbeCalls()
                .call(SyscallNumbers.SOCKET, number(Net.AF_INET), number(type), number(0))
                .call(
                        SyscallNumbers.SENDTO,
                        result(0),
                        text("attack"),
                        number("attack".length()),
                        number(flags),
                        bytes(address),
                        number(address.length));
    }
}
