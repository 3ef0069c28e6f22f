package dev.sandbox.linux.uapi;

/**
 * poll(2).
 *
 * <p>Source: include/uapi/asm-generic/poll.h.
 */
public final class Poll {
    public static final short POLLIN = 1;
    public static final short POLLOUT = 4;

    /** {@code sizeof(struct pollfd)}: int fd, short events, short revents. */
    public static final int POLLFD_SIZE = 8;

    public static final int EVENTS = 4;
    public static final int REVENTS = 6;

    private Poll() {}
}
