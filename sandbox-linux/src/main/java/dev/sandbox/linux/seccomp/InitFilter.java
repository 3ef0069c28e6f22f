package dev.sandbox.linux.seccomp;

import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Seccomp;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.List;

/**
 * The filter of a PID namespace's init: the four calls that it is started by and makes, and for any other the process is killed. So who
 * came to write to its memory could do no more than it does.
 */
public final class InitFilter {
    /** execveat comes first, from whoever installs the filter; the rest is in the order in which init makes them. */
    private static final List<SyscallNumbers> CALLS =
            List.of(SyscallNumbers.EXECVEAT, SyscallNumbers.RT_SIGACTION, SyscallNumbers.READ, SyscallNumbers.EXIT);

    private InitFilter() {}

    /** The program for an architecture. */
    public static BpfProgram program(Architecture architecture) {
        BpfAssembler program = new BpfAssembler();
        int killed = program.ret(Refusal.KILL.verdict());
        int allowed = program.ret(Seccomp.SECCOMP_RET_ALLOW);
        int next = killed;
        for (SyscallNumbers call : CALLS) {
            next = program.ifEqual(call.on(architecture), allowed, next);
        }
        int number = program.load(Seccomp.NR, next);
        return program.program(program.load(Seccomp.ARCH, program.ifEqual(architecture.auditArch(), number, killed)));
    }
}
