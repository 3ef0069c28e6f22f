package dev.sandbox.linux.spawn;

import dev.sandbox.linux.uapi.SyscallNumbers;

/** Entries that bound what a process may use. */
public final class LimitCalls {
    private LimitCalls() {}

    /**
     * setrlimit(2) by prlimit64(2), of the child itself.
     *
     * @param soft what the kernel holds the process to
     * @param hard what the process may raise the soft limit to
     */
    public static Entry limit(String what, int resource, long soft, long hard) {
        return Entry.Call.of(
                "limit " + what,
                SyscallNumbers.PRLIMIT64,
                Argument.of(0),
                Argument.of(resource),
                Argument.at(Block.words("{" + soft + ", " + hard + "}", soft, hard)),
                Argument.of(0));
    }
}
