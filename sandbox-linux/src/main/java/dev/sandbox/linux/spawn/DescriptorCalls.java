package dev.sandbox.linux.spawn;

import dev.sandbox.linux.uapi.CloseRange;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.SyscallNumbers;

/** Entries about descriptors. The child shares the JVM's table until {@link #ownTable}; before that it must open nothing. */
public final class DescriptorCalls {
    private static final long LAST = 0xffffffffL;

    private DescriptorCalls() {}

    /**
     * A table of the child's own, which holds only what lies up to a number: copying the whole table would cost what the JVM has open.
     *
     * @param highest the highest descriptor that the child needs
     */
    public static Entry ownTable(int highest) {
        return Entry.Call.of(
                "unshare the descriptors",
                SyscallNumbers.CLOSE_RANGE,
                Argument.of(highest + 1L),
                Argument.of(LAST),
                Argument.of(CloseRange.CLOSE_RANGE_UNSHARE));
    }

    /** Closes everything from a number on. */
    public static Entry closeFrom(int first) {
        return Entry.Call.of(
                "close the other descriptors",
                SyscallNumbers.CLOSE_RANGE,
                Argument.of(first),
                Argument.of(LAST),
                Argument.of(0));
    }

    /** Gives a descriptor another number, at which execve keeps it open. */
    public static Entry duplicate(int source, int target) {
        String what = "give the child descriptor " + target;
        // dup3 refuses equal numbers, and dup2 would leave the flag.
        return source == target
                ? Entry.Call.of(
                        what, SyscallNumbers.FCNTL, Argument.of(source), Argument.of(Fcntl.F_SETFD), Argument.of(0))
                : Entry.Call.of(what, SyscallNumbers.DUP3, Argument.of(source), Argument.of(target), Argument.of(0));
    }

    /** Gives a descriptor another number, at which execve closes it. */
    public static Entry duplicateUntilExec(int source, int target) {
        return Entry.Call.of(
                "keep descriptor " + target,
                SyscallNumbers.DUP3,
                Argument.of(source),
                Argument.of(target),
                Argument.of(Fcntl.O_CLOEXEC));
    }

    public static Entry close(Slot descriptor) {
        return Entry.Call.of("close " + descriptor, SyscallNumbers.CLOSE, Argument.in(descriptor));
    }
}
