package dev.sandbox.linux.uapi;

/** Source: include/linux/socket.h and include/linux/net.h; the same on x86-64 and aarch64. */
public final class Sockets {
    public static final int AF_UNIX = 1;

    public static final int SOCK_STREAM = 1;
    public static final int SOCK_CLOEXEC = 0x80000;

    private Sockets() {}
}
