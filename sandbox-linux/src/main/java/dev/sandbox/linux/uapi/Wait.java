package dev.sandbox.linux.uapi;

/**
 * waitid(2) and the part of {@code siginfo_t} that it fills.
 *
 * <p>Source: include/uapi/linux/wait.h, include/uapi/asm-generic/siginfo.h.
 */
public final class Wait {
    public static final int WNOHANG = 1;
    public static final int WEXITED = 4;
    public static final int WNOWAIT = 0x01000000;
    public static final int WALL = 0x40000000;

    public static final int P_PID = 1;
    public static final int P_PIDFD = 3;

    public static final int SIGINFO_SIZE = 128;
    public static final int SI_CODE = 8;
    public static final int SI_PID = 16;
    public static final int SI_STATUS = 24;

    public static final int CLD_EXITED = 1;
    public static final int CLD_KILLED = 2;
    public static final int CLD_DUMPED = 3;

    private Wait() {}
}
