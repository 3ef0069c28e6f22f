package dev.sandbox.linux.seccomp;

import static dev.sandbox.linux.seccomp.ArgumentTest.hasAny;
import static dev.sandbox.linux.seccomp.ArgumentTest.is;
import static dev.sandbox.linux.seccomp.ArgumentTest.isNot;
import static dev.sandbox.linux.seccomp.ArgumentTest.maskedIsNot;

import dev.sandbox.linux.uapi.Net;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.List;

/** The rules about sockets: socket(domain, type, protocol) and its like. The first that matches decides, so the narrowest come first. */
final class SocketRules {
    private static final int DOMAIN = 0;
    private static final int TYPE = 1;
    private static final int PROTOCOL = 2;

    static final List<HardeningRule> ALL = List.of(
            new HardeningRule(
                    "net.none",
                    "every socket but unix ones",
                    Refusal.EACCES,
                    "No network means TCP, UDP, raw and every other family, of which Landlock checks TCP alone.",
                    HardeningRule.When.NETWORK_NONE,
                    List.of(SyscallNumbers.SOCKET, SyscallNumbers.SOCKETPAIR),
                    List.of(List.of(isNot(DOMAIN, Net.AF_UNIX)))),
            new HardeningRule(
                    "net.tcp",
                    "internet sockets that are not plain TCP: UDP, raw, MPTCP, SCTP, SMC",
                    Refusal.EACCES,
                    "Landlock checks ports of plain TCP alone. UDP is closed with it, so no name is looked up over the network.",
                    HardeningRule.When.NETWORK_TCP,
                    List.of(SyscallNumbers.SOCKET),
                    List.of(
                            List.of(is(DOMAIN, Net.AF_INET), notAStream()),
                            List.of(is(DOMAIN, Net.AF_INET6), notAStream()),
                            List.of(is(DOMAIN, Net.AF_INET), isNot(PROTOCOL, 0), isNot(PROTOCOL, Net.IPPROTO_TCP)),
                            List.of(is(DOMAIN, Net.AF_INET6), isNot(PROTOCOL, 0), isNot(PROTOCOL, Net.IPPROTO_TCP)))),
            fastOpen("net.tcp.sendto", SyscallNumbers.SENDTO, 3),
            fastOpen("net.tcp.sendmsg", SyscallNumbers.SENDMSG, 2),
            fastOpen("net.tcp.sendmmsg", SyscallNumbers.SENDMMSG, 3),
            new HardeningRule(
                    "net.tcp.ulp",
                    "setsockopt(TCP_ULP)",
                    Refusal.EPERM,
                    "It can turn a TCP socket into one of another kind, whose ports Landlock does not check.",
                    HardeningRule.When.NETWORK_TCP,
                    List.of(SyscallNumbers.SETSOCKOPT),
                    List.of(List.of(is(1, Net.IPPROTO_TCP), is(2, Net.TCP_ULP)))),
            new HardeningRule(
                    "unix.scope",
                    "unix sockets that are not one of a pair",
                    Refusal.EACCES,
                    "A filter sees no path, so none can be connected at all.",
                    HardeningRule.When.UNIX_SCOPE,
                    List.of(SyscallNumbers.SOCKET),
                    List.of(List.of(is(DOMAIN, Net.AF_UNIX)))),
            new HardeningRule(
                    "unix.scope.pairs",
                    "pairs of unix datagram sockets",
                    Refusal.EACCES,
                    "One of a pair of datagram sockets can still be sent from to any other path; of streams it cannot.",
                    HardeningRule.When.UNIX_SCOPE,
                    List.of(SyscallNumbers.SOCKETPAIR),
                    List.of(List.of(notAStream(), maskedIsNot(TYPE, Net.SOCK_TYPE_MASK, Net.SOCK_SEQPACKET)))),
            new HardeningRule(
                    "sockets.families",
                    "sockets of families other than unix, inet, inet6 and netlink",
                    Refusal.EPERM,
                    "vsock reaches the hypervisor, packet the wire, alg and the rare ones little-tested kernel code.",
                    HardeningRule.When.ALWAYS,
                    List.of(SyscallNumbers.SOCKET),
                    List.of(List.of(
                            isNot(DOMAIN, Net.AF_UNIX),
                            isNot(DOMAIN, Net.AF_INET),
                            isNot(DOMAIN, Net.AF_INET6),
                            isNot(DOMAIN, Net.AF_NETLINK)))),
            new HardeningRule(
                    "sockets.pairs",
                    "pairs of sockets that are not unix ones",
                    Refusal.EPERM,
                    "Of the ordinary families only unix has pairs.",
                    HardeningRule.When.ALWAYS,
                    List.of(SyscallNumbers.SOCKETPAIR),
                    List.of(List.of(isNot(DOMAIN, Net.AF_UNIX)))),
            new HardeningRule(
                    "sockets.netlink",
                    "netlink other than route",
                    Refusal.EPERM,
                    "getaddrinfo(3) asks route for the addresses of this machine; audit, netfilter and the rest are the system's.",
                    HardeningRule.When.ALWAYS,
                    List.of(SyscallNumbers.SOCKET),
                    List.of(List.of(is(DOMAIN, Net.AF_NETLINK), isNot(PROTOCOL, Net.NETLINK_ROUTE)))));

    private SocketRules() {}

    private static ArgumentTest notAStream() {
        return maskedIsNot(TYPE, Net.SOCK_TYPE_MASK, Net.SOCK_STREAM);
    }

    private static HardeningRule fastOpen(String name, SyscallNumbers call, int flags) {
        return new HardeningRule(
                name,
                call.id() + "(MSG_FASTOPEN)",
                Refusal.EPERM,
                "It connects without connect(2), where Landlock checks the port.",
                HardeningRule.When.NETWORK_TCP,
                List.of(call),
                List.of(List.of(hasAny(flags, Net.MSG_FASTOPEN))));
    }
}
