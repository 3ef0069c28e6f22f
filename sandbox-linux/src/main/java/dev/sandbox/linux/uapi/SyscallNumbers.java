package dev.sandbox.linux.uapi;

/**
 * System call numbers by architecture. Those from 424 on are the same everywhere.
 *
 * <p>Source: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h (aarch64).
 */
public enum SyscallNumbers {
    READ(0, 63),
    WRITE(1, 64),
    MMAP(9, 222),
    IOCTL(16, 29),
    SOCKET(41, 198),
    CONNECT(42, 203),
    SENDTO(44, 206),
    SOCKETPAIR(53, 199),
    KILL(62, 129),
    FCNTL(72, 25),
    TRUNCATE(76, 45),
    PTRACE(101, 117),
    SETUID(105, 146),
    CAPGET(125, 90),
    CAPSET(126, 91),
    PIVOT_ROOT(155, 41),
    CHROOT(161, 51),
    MOUNT(165, 40),
    UMOUNT2(166, 39),
    GETTID(186, 178),
    SETXATTR(188, 5),
    GETDENTS64(217, 61),
    WAITID(247, 95),
    KEYCTL(250, 219),
    OPENAT(257, 56),
    MKNODAT(259, 33),
    FCHOWNAT(260, 54),
    READLINKAT(267, 78),
    FACCESSAT(269, 48),
    UNSHARE(272, 97),
    PERF_EVENT_OPEN(298, 241),
    PRLIMIT64(302, 261),
    OPEN_BY_HANDLE_AT(304, 265),
    SETNS(308, 268),
    SECCOMP(317, 277),
    BPF(321, 280),
    USERFAULTFD(323, 282),
    STATX(332, 291),
    PIDFD_SEND_SIGNAL(424, 424),
    IO_URING_SETUP(425, 425),
    IO_URING_ENTER(426, 426),
    IO_URING_REGISTER(427, 427),
    OPEN_TREE(428, 428),
    MOVE_MOUNT(429, 429),
    FSOPEN(430, 430),
    FSCONFIG(431, 431),
    FSMOUNT(432, 432),
    PIDFD_OPEN(434, 434),
    CLOSE_RANGE(436, 436),
    OPENAT2(437, 437),
    PIDFD_GETFD(438, 438),
    MOUNT_SETATTR(442, 442),
    LANDLOCK_CREATE_RULESET(444, 444),
    LANDLOCK_ADD_RULE(445, 445),
    LANDLOCK_RESTRICT_SELF(446, 446);

    private final int x86;
    private final int generic;

    SyscallNumbers(int x86, int generic) {
        this.x86 = x86;
        this.generic = generic;
    }

    /** The number on that architecture. */
    public int on(Architecture architecture) {
        return switch (architecture) {
            case X86_64 -> x86;
            case AARCH64 -> generic;
        };
    }
}
