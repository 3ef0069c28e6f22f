package dev.sandbox.linux.seccomp;

import static dev.sandbox.linux.uapi.SyscallNumbers.*;

import dev.sandbox.linux.uapi.Sched;
import dev.sandbox.linux.uapi.SyscallNumbers;
import dev.sandbox.linux.uapi.Tty;
import java.util.List;
import java.util.stream.Stream;

/**
 * All rules, in the order in which they are asked; of those about one call the first that matches decides. Everything that is said or
 * enforced about system calls comes from here.
 *
 * <p>What they do NOT stop: calls that need a capability and are not named, since a step has none; use of what is open already.
 */
public final class HardeningRules {
    private static final List<HardeningRule> KERNEL = List.of(
            rule(
                    "io_uring",
                    "every io_uring call",
                    "Its requests make sockets and open files past a filter.",
                    List.of(IO_URING_SETUP, IO_URING_ENTER, IO_URING_REGISTER)),
            rule(
                    "keys",
                    "the kernel's key rings",
                    "They are the account's, not the step's, and hold its secrets.",
                    List.of(ADD_KEY, REQUEST_KEY, KEYCTL)),
            rule(
                    "userfaultfd",
                    "userfaultfd",
                    "It makes races in the kernel easy to win; ordinary programs do not use it.",
                    List.of(USERFAULTFD)),
            rule("perf", "perf_event_open", "It measures other processes and the kernel.", List.of(PERF_EVENT_OPEN)),
            rule("bpf", "bpf", "It loads programs into the kernel.", List.of(BPF)),
            rule("kexec", "kexec", "It replaces the kernel.", List.of(KEXEC_LOAD, KEXEC_FILE_LOAD)),
            rule(
                    "modules",
                    "loading and unloading kernel modules",
                    "They are the kernel.",
                    List.of(INIT_MODULE, FINIT_MODULE, DELETE_MODULE)),
            rule(
                    "ptrace",
                    "ptrace and the calls that read, write or compare another process",
                    "A step needs no debugger; with one it would be in every process of the account that it may see.",
                    List.of(PTRACE, PROCESS_VM_READV, PROCESS_VM_WRITEV, PIDFD_GETFD, KCMP)),
            rule(
                    "handles",
                    "open_by_handle_at",
                    "It opens files by number, past every path.",
                    List.of(OPEN_BY_HANDLE_AT)),
            new HardeningRule(
                    "limits",
                    "prlimit64 of another process",
                    Refusal.EPERM,
                    "A limit of processor time that is used up kills, and Landlock's scope of signals does not see it.",
                    HardeningRule.When.ALWAYS,
                    List.of(PRLIMIT64),
                    List.of(List.of(ArgumentTest.isNot(0, 0)))),
            new HardeningRule(
                    "terminal",
                    "ioctl(TIOCSTI) and ioctl(TIOCLINUX)",
                    Refusal.EPERM,
                    "They type into the caller's terminal. The kernel takes the low half of the number, so that is what is compared.",
                    HardeningRule.When.ALWAYS,
                    List.of(IOCTL),
                    List.of(List.of(ArgumentTest.is(1, (int) Tty.TIOCSTI)), List.of(ArgumentTest.is(1, (int)
                            Tty.TIOCLINUX)))),
            new HardeningRule(
                    "user_namespaces",
                    "clone and unshare of a user namespace",
                    Refusal.EPERM,
                    "Inside one a step has every capability, and with it much more of the kernel to attack.",
                    HardeningRule.When.USER_NAMESPACES_DENIED,
                    List.of(CLONE, UNSHARE),
                    List.of(List.of(ArgumentTest.hasAny(0, Sched.CLONE_NEWUSER)))),
            whenDenied(
                    "user_namespaces.setns",
                    "setns",
                    "It enters namespaces of others, which the account may own.",
                    List.of(SETNS)),
            new HardeningRule(
                    "user_namespaces.clone3",
                    "clone3",
                    Refusal.ENOSYS,
                    "Its flags lie in memory, where a filter cannot look. Libraries fall back to clone.",
                    HardeningRule.When.USER_NAMESPACES_DENIED,
                    List.of(CLONE3),
                    List.of()),
            whenDenied(
                    "mounts",
                    "mounting, unmounting and changing the root",
                    "Without a user namespace nobody but root may; a step that tries is attacking.",
                    List.of(
                            MOUNT,
                            UMOUNT2,
                            PIVOT_ROOT,
                            CHROOT,
                            OPEN_TREE,
                            OPEN_TREE_ATTR,
                            MOVE_MOUNT,
                            FSOPEN,
                            FSCONFIG,
                            FSMOUNT,
                            FSPICK,
                            MOUNT_SETATTR)),
            rule(
                    "system",
                    "swap, reboot, quotas, accounting, the clock, the host's name, I/O ports, the kernel's log and other calls of administrators",
                    "They are about the machine, not about the step.",
                    List.of(
                            SWAPON,
                            SWAPOFF,
                            REBOOT,
                            QUOTACTL,
                            QUOTACTL_FD,
                            ACCT,
                            SETTIMEOFDAY,
                            CLOCK_SETTIME,
                            SETHOSTNAME,
                            SETDOMAINNAME,
                            SYSLOG,
                            IOPL,
                            IOPERM,
                            VHANGUP,
                            LOOKUP_DCOOKIE,
                            NFSSERVCTL)),
            new HardeningRule(
                    "abi.x32",
                    "the x32 ABI of x86-64",
                    Refusal.ENOSYS,
                    "Its numbers mean other calls than those above.",
                    HardeningRule.When.ALWAYS,
                    List.of(),
                    List.of()),
            new HardeningRule(
                    "abi.foreign",
                    "calls of another architecture (i386, 32-bit ARM)",
                    Refusal.KILL,
                    "Their numbers mean other calls than those above, and no program of the system is of that kind.",
                    HardeningRule.When.ALWAYS,
                    List.of(),
                    List.of()));

    private static final List<HardeningRule> ALL = Stream.of(SocketRules.ALL, FileRules.ALL, KERNEL)
            .flatMap(List::stream)
            .toList();

    private HardeningRules() {}

    /** The whole table. */
    public static List<HardeningRule> all() {
        return ALL;
    }

    /** Those that a filter of these settings has. */
    public static List<HardeningRule> of(FilterSettings settings) {
        return ALL.stream().filter(rule -> settings.have(rule.when())).toList();
    }

    private static HardeningRule rule(String name, String denies, String why, List<SyscallNumbers> calls) {
        return new HardeningRule(name, denies, Refusal.EPERM, why, HardeningRule.When.ALWAYS, calls, List.of());
    }

    private static HardeningRule whenDenied(String name, String denies, String why, List<SyscallNumbers> calls) {
        return new HardeningRule(
                name, denies, Refusal.EPERM, why, HardeningRule.When.USER_NAMESPACES_DENIED, calls, List.of());
    }
}
