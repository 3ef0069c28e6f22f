package dev.sandbox.linux.uapi;

import java.util.Locale;

/**
 * System call numbers by architecture. Those from 424 on are the same everywhere.
 *
 * <p>Source: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h (aarch64).
 */
public enum SyscallNumbers {
    READ(0, 63),
    WRITE(1, 64),
    OPEN(2),
    CLOSE(3, 57),
    MMAP(9, 222),
    RT_SIGACTION(13, 134),
    RT_SIGPROCMASK(14, 135),
    RT_SIGSUSPEND(130, 133),
    IOCTL(16, 29),
    SOCKET(41, 198),
    CONNECT(42, 203),
    SENDTO(44, 206),
    SENDMSG(46, 211),
    SOCKETPAIR(53, 199),
    SETSOCKOPT(54, 208),
    CLONE(56, 220),
    EXECVE(59, 221),
    EXIT(60, 93),
    KILL(62, 129),
    FCNTL(72, 25),
    TRUNCATE(76, 45),
    CHDIR(80, 49),
    CREAT(85),
    CHMOD(90),
    FCHMOD(91, 52),
    UMASK(95, 166),
    PTRACE(101, 117),
    SYSLOG(103, 116),
    SETUID(105, 146),
    GETPPID(110, 173),
    SETSID(112, 157),
    SETGROUPS(116, 159),
    SETRESUID(117, 147),
    SETRESGID(119, 149),
    CAPGET(125, 90),
    CAPSET(126, 91),
    MKNOD(133),
    VHANGUP(153, 58),
    PIVOT_ROOT(155, 41),
    PRCTL(157, 167),
    CHROOT(161, 51),
    ACCT(163, 89),
    SETTIMEOFDAY(164, 170),
    MOUNT(165, 40),
    UMOUNT2(166, 39),
    SWAPON(167, 224),
    SWAPOFF(168, 225),
    REBOOT(169, 142),
    SETHOSTNAME(170, 161),
    SETDOMAINNAME(171, 162),
    IOPL(172),
    IOPERM(173),
    INIT_MODULE(175, 105),
    DELETE_MODULE(176, 106),
    QUOTACTL(179, 60),
    NFSSERVCTL(180, 42),
    GETTID(186, 178),
    GETRANDOM(318, 278),
    SETXATTR(188, 5),
    LOOKUP_DCOOKIE(212, 18),
    GETDENTS64(217, 61),
    CLOCK_SETTIME(227, 112),
    KEXEC_LOAD(246, 104),
    WAITID(247, 95),
    ADD_KEY(248, 217),
    REQUEST_KEY(249, 218),
    KEYCTL(250, 219),
    OPENAT(257, 56),
    MKDIRAT(258, 34),
    MKNODAT(259, 33),
    FCHOWNAT(260, 54),
    SYMLINKAT(266, 36),
    READLINKAT(267, 78),
    FCHMODAT(268, 53),
    FACCESSAT(269, 48),
    UNSHARE(272, 97),
    DUP3(292, 24),
    PERF_EVENT_OPEN(298, 241),
    FANOTIFY_INIT(300, 262),
    FANOTIFY_MARK(301, 263),
    PRLIMIT64(302, 261),
    OPEN_BY_HANDLE_AT(304, 265),
    SENDMMSG(307, 269),
    SETNS(308, 268),
    PROCESS_VM_READV(310, 270),
    PROCESS_VM_WRITEV(311, 271),
    KCMP(312, 272),
    FINIT_MODULE(313, 273),
    SECCOMP(317, 277),
    MEMFD_CREATE(319, 279),
    KEXEC_FILE_LOAD(320, 294),
    BPF(321, 280),
    EXECVEAT(322, 281),
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
    FSPICK(433, 433),
    PIDFD_OPEN(434, 434),
    CLONE3(435, 435),
    CLOSE_RANGE(436, 436),
    OPENAT2(437, 437),
    PIDFD_GETFD(438, 438),
    MOUNT_SETATTR(442, 442),
    QUOTACTL_FD(443, 443),
    LANDLOCK_CREATE_RULESET(444, 444),
    LANDLOCK_ADD_RULE(445, 445),
    LANDLOCK_RESTRICT_SELF(446, 446),
    FCHMODAT2(452, 452),
    STATMOUNT(457, 457),
    LISTMOUNT(458, 458),
    OPEN_TREE_ATTR(467, 467),
    FILE_SETATTR(469, 469);

    private static final int ABSENT = -1;

    private final int x86;
    private final int generic;

    /** A call that x86-64 alone has. */
    SyscallNumbers(int x86) {
        this(x86, ABSENT);
    }

    SyscallNumbers(int x86, int generic) {
        this.x86 = x86;
        this.generic = generic;
    }

    /** True when that architecture has the call at all. */
    public boolean isOn(Architecture architecture) {
        return on(architecture) != ABSENT;
    }

    /** The kernel's name of the call, for example {@code io_uring_setup}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The number on that architecture; negative when it has none. */
    public int on(Architecture architecture) {
        return switch (architecture) {
            case X86_64 -> x86;
            case AARCH64 -> generic;
        };
    }
}
