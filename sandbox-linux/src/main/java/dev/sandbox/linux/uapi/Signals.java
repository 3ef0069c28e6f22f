package dev.sandbox.linux.uapi;

/**
 * Signal numbers.
 *
 * <p>Source: include/uapi/asm-generic/signal.h (the same on x86-64).
 */
public final class Signals {
    public static final int SIGKILL = 9;
    public static final int SIGTERM = 15;
    public static final int SIGCHLD = 17;
    public static final int SIGCONT = 18;
    public static final int SIGSTOP = 19;
    /** The last real-time signal. */
    public static final int LAST = 64;

    /** Of rt_sigprocmask(2): the mask becomes this. */
    public static final int SIG_SETMASK = 2;

    private Signals() {}
}
