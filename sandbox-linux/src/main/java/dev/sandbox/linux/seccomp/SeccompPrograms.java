package dev.sandbox.linux.seccomp;

import dev.sandbox.linux.Errno;
import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Seccomp;
import dev.sandbox.linux.uapi.SyscallNumbers;

/** The filters that the backends install. */
public final class SeccompPrograms {
    private static final int AF_UNIX = 1;
    /** Calls of the x32 ABI come with the native architecture and this bit. */
    private static final int X32_BIT = 0x40000000;

    private SeccompPrograms() {}

    /** {@link #denyNetwork(Architecture)} for this machine. */
    public static BpfProgram denyNetwork() {
        return denyNetwork(Architecture.host());
    }

    /**
     * No socket but a unix one can be made: EACCES. Nor an io_uring, whose requests make sockets past this filter: EPERM.
     * Another ABI of the same processor (i386, x32), whose numbers mean other calls, is killed or gets ENOSYS.
     *
     * <p>What this does NOT stop: sockets that were open before or are passed over a unix socket, and unix sockets themselves.
     */
    public static BpfProgram denyNetwork(Architecture architecture) {
        BpfProgram.Assembler program = BpfProgram.assembler()
                .load(Seccomp.ARCH)
                .jumpUnlessEqual(architecture.auditArch(), "foreign")
                .load(Seccomp.NR);
        if (architecture == Architecture.X86_64) {
            program.jumpIfAtLeast(X32_BIT, "unknown");
        }
        return program.jumpIfEqual(SyscallNumbers.SOCKET.on(architecture), "socket")
                .jumpIfEqual(SyscallNumbers.SOCKETPAIR.on(architecture), "socket")
                .jumpIfEqual(SyscallNumbers.IO_URING_SETUP.on(architecture), "uring")
                .jumpIfEqual(SyscallNumbers.IO_URING_ENTER.on(architecture), "uring")
                .jumpIfEqual(SyscallNumbers.IO_URING_REGISTER.on(architecture), "uring")
                .ret(Seccomp.SECCOMP_RET_ALLOW)
                .label("socket")
                // The kernel takes the domain as an int: only the low half counts.
                .load(Seccomp.ARGUMENTS)
                .jumpUnlessEqual(AF_UNIX, "domain")
                .ret(Seccomp.SECCOMP_RET_ALLOW)
                .label("domain")
                .ret(errno(Errno.EACCES))
                .label("uring")
                .ret(errno(Errno.EPERM))
                .label("unknown")
                .ret(errno(Errno.ENOSYS))
                .label("foreign")
                .ret(Seccomp.SECCOMP_RET_KILL_PROCESS)
                .assemble();
    }

    private static int errno(Errno errno) {
        return Seccomp.SECCOMP_RET_ERRNO | errno.number();
    }
}
