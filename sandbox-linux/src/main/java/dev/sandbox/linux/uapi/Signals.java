package dev.sandbox.linux.uapi;

/**
 * Signal numbers.
 *
 * <p>Source: include/uapi/asm-generic/signal.h (the same on x86-64).
 */
public final class Signals {
    public static final int SIGHUP = 1;
    public static final int SIGINT = 2;
    public static final int SIGQUIT = 3;
    public static final int SIGKILL = 9;
    public static final int SIGPIPE = 13;
    public static final int SIGTERM = 15;
    public static final int SIGCHLD = 17;
    public static final int SIGCONT = 18;
    public static final int SIGSTOP = 19;
    public static final int SIGWINCH = 28;
    /** The last real-time signal. */
    public static final int LAST = 64;

    /** Of rt_sigprocmask(2): the set is taken out of the mask. */
    public static final int SIG_UNBLOCK = 1;

    /** Of rt_sigprocmask(2): the mask becomes this. */
    public static final int SIG_SETMASK = 2;

    /** {@code struct sigaction} as the kernel has it: the handler first, then the flags, the restorer and the mask. */
    public static final int SIGACTION_SIZE = 32;

    public static final int SA_FLAGS = 8;
    public static final int SA_RESTORER_OFFSET = 16;

    public static final long SIG_IGN = 1;
    public static final int SA_NOCLDWAIT = 2;
    public static final int SA_RESTORER = 0x04000000;
    public static final int SA_ONSTACK = 0x08000000;
    public static final int SA_RESTART = 0x10000000;

    private Signals() {}
}
