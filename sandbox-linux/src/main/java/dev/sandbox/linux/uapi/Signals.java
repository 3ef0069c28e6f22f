package dev.sandbox.linux.uapi;

/**
 * Signal numbers.
 *
 * <p>Source: include/uapi/asm-generic/signal.h (the same on x86-64).
 */
public final class Signals {
    public static final int SIGKILL = 9;
    public static final int SIGTERM = 15;
    public static final int SIGCONT = 18;

    private Signals() {}
}
