package dev.sandbox.linux.uapi;

/**
 * Families, types, protocols and flags of socket(2) and its like; the same on x86-64 and arm64.
 *
 * <p>Source: include/linux/socket.h, include/linux/net.h, include/uapi/linux/in.h, netlink.h and tcp.h.
 */
public final class Net {
    public static final int AF_UNIX = 1;
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;
    public static final int AF_NETLINK = 16;
    public static final int AF_PACKET = 17;
    public static final int AF_VSOCK = 40;

    public static final int SOCK_STREAM = 1;
    public static final int SOCK_DGRAM = 2;
    public static final int SOCK_RAW = 3;
    public static final int SOCK_SEQPACKET = 5;
    /** The type without SOCK_CLOEXEC and SOCK_NONBLOCK. */
    public static final int SOCK_TYPE_MASK = 0xf;

    public static final int SOCK_CLOEXEC = 0x80000;

    public static final int IPPROTO_ICMP = 1;
    public static final int IPPROTO_TCP = 6;
    public static final int IPPROTO_MPTCP = 262;
    public static final int SIOCSIFFLAGS = 0x8914;
    public static final int NETLINK_ROUTE = 0;
    public static final int NETLINK_AUDIT = 9;

    public static final int MSG_FASTOPEN = 0x20000000;
    public static final int TCP_ULP = 31;

    private Net() {}
}
