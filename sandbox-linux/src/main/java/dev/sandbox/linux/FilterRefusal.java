package dev.sandbox.linux;

import dev.sandbox.linux.spawn.SeccompCalls;

/** When a proof failed because no system call filter could be installed: the cause, and the way out. Pure. */
public final class FilterRefusal {
    /** The way out. Every backend that runs steps on this kernel itself needs the filter: another one of them is none. */
    public static final String REMEDY =
            "allow seccomp(2) in the filter around this process, or boot a kernel with CONFIG_SECCOMP_FILTER; or use docker";

    private FilterRefusal() {}

    /** True when that is what the failure is about. */
    public static boolean isIn(String failure) {
        return failure.contains(SeccompCalls.NAME + ": ");
    }

    /** The cause, with the failure as the kernel told it. */
    public static String reason(String failure) {
        return "no system call filter can be installed here (" + failure + ")";
    }
}
