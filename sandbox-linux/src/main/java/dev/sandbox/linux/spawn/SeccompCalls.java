package dev.sandbox.linux.spawn;

import dev.sandbox.linux.seccomp.BpfProgram;
import dev.sandbox.linux.uapi.Seccomp;
import dev.sandbox.linux.uapi.SyscallNumbers;

/** The entry that installs a system call filter. What comes behind it is under the filter. */
public final class SeccompCalls {
    /** What the entry is called, in failures as well. */
    public static final String NAME = "seccomp";

    private SeccompCalls() {}

    public static Entry filter(BpfProgram program) {
        Block instructions = Block.bytes("filter", program.encode());
        // struct sock_fprog: the length, and a pointer.
        Block fprog = Block.pointing("{" + program.length() + " instructions}", program.length(), instructions);
        return Entry.Call.of(
                NAME,
                SyscallNumbers.SECCOMP,
                Argument.of(Seccomp.SECCOMP_SET_MODE_FILTER),
                Argument.of(0),
                Argument.at(fprog));
    }
}
