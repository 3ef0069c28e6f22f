package dev.sandbox.linux;

/** A system call failed. Says which, on what, and why. */
public final class SyscallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String call;
    private final String arguments;
    private final int errno;

    public SyscallException(String call, String arguments, int errno) {
        super(call + "(" + arguments + "): " + Errno.describe(errno));
        this.call = call;
        this.arguments = arguments;
        this.errno = errno;
    }

    /** The call's name, for example {@code openat}. */
    public String call() {
        return call;
    }

    /** The arguments that matter, for people. */
    public String arguments() {
        return arguments;
    }

    /** The error number; see {@link Errno}. */
    public int errno() {
        return errno;
    }

    /** True when the call failed for this reason. */
    public boolean is(Errno reason) {
        return errno == reason.number();
    }
}
