package dev.sandbox.linux.spawn;

import dev.sandbox.linux.Errno;
import dev.sandbox.linux.SyscallException;

/**
 * This host has no init to give: {@link InitFile} cannot be made. Nothing ran. A backend that needs a PID namespace is then not usable,
 * and says so by {@link #getMessage()} and {@link #remedy()}.
 */
public final class InitUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String remedy;

    InitUnavailableException(SyscallException cause) {
        super(
                isForbidden(cause) ? "vm.memfd_noexec is 2: no file in memory may be executed" : cause.getMessage(),
                cause);
        remedy = isForbidden(cause) ? "sysctl vm.memfd_noexec=1, or another backend" : "another backend";
    }

    /** The sysctl of Linux 6.3 and later; no other reason gives EACCES there. */
    private static boolean isForbidden(SyscallException cause) {
        return cause.call().equals("memfd_create") && cause.is(Errno.EACCES);
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }
}
