package dev.sandbox.linux.seccomp;

import dev.sandbox.linux.ConfinementStep;
import dev.sandbox.linux.NativeArena;
import dev.sandbox.linux.RawSyscalls;

/**
 * Installs a filter on the thread. Needs no_new_privs before it. Holds native memory: keep one per program, or close it when
 * the spawn has returned.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/seccomp.2.html">seccomp(2)</a>
 */
public final class SeccompStep implements ConfinementStep, AutoCloseable {
    /** {@code struct sock_fprog}: unsigned short len, padding, pointer. */
    private static final int SOCK_FPROG_SIZE = 16;

    private static final int FILTER = 8;

    private final RawSyscalls syscalls;
    private final NativeArena arena = new NativeArena();
    private final long program;

    public SeccompStep(BpfProgram filter) {
        this(filter, RawSyscalls.host());
    }

    /** A step by the given calls. */
    public SeccompStep(BpfProgram filter, RawSyscalls syscalls) {
        this.syscalls = syscalls;
        program = arena.allocate(SOCK_FPROG_SIZE);
        NativeArena.putInt(program, filter.length());
        NativeArena.putLong(program + FILTER, arena.bytes(filter.encode()));
    }

    @Override
    public String name() {
        return "seccomp";
    }

    @Override
    public int apply() {
        return -syscalls.seccompSetFilter(program);
    }

    @Override
    public void close() {
        arena.close();
    }
}
