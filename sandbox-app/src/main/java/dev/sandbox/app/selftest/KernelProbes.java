package dev.sandbox.app.selftest;

import static dev.sandbox.app.selftest.ProbeCalls.number;
import static dev.sandbox.app.selftest.ProbeCalls.result;
import static dev.sandbox.app.selftest.ProbeCalls.text;

import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Net;
import dev.sandbox.linux.uapi.Sched;
import dev.sandbox.linux.uapi.Stat;
import dev.sandbox.linux.uapi.SyscallNumbers;
import dev.sandbox.linux.uapi.Tty;
import java.util.List;

/** Attacks on the kernel: namespaces, capabilities, and calls that few programs need and that had many holes. */
final class KernelProbes {
    private static final Claim SURFACE = Claim.always("rarely used kernel interfaces are closed");
    private static final Claim CAPABILITIES = Claim.always("no capability is kept");

    private static final Claim SET_UID = Claim.always("no set-uid program is made");

    private static final String ENGINE = "the engine's own seccomp profile lets it through";

    private static final int EFAULT = 14;
    private static final int EINVAL = 22;
    private static final int ENOTTY = 25;
    private static final int OTHER_ACCOUNT = 12345;
    private static final int USER_MODE_ONLY = 1;
    private static final int KEYCTL_GET_KEYRING_ID = 0;
    private static final int KEY_SPEC_SESSION_KEYRING = -3;
    private static final long HIGH_BIT = 1L << 32;
    private static final int FAN_REPORT_FID = 0x200;
    private static final int ORDINARY = 0755;

    private KernelProbes() {}

    static List<Probe> of(Scene scene) {
        return new ProbeGroup(scene, Setting.PLAIN, "kernel")
                .calls("io_uring", SURFACE, "make an io_uring", one(SyscallNumbers.IO_URING_SETUP, 1, 0), reached())
                .openOn(BackendName.DOCKER, ENGINE)
                .calls("keyctl", SURFACE, "look at the kernel's keys", keys(), reached())
                .calls("bpf", SURFACE, "load a BPF map", one(SyscallNumbers.BPF, 0, 0, 0), reached())
                .calls(
                        "userfaultfd",
                        SURFACE,
                        "handle page faults",
                        one(SyscallNumbers.USERFAULTFD, USER_MODE_ONLY),
                        reached())
                .calls("perf", SURFACE, "open a performance counter", one(SyscallNumbers.PERF_EVENT_OPEN, 0), reached())
                .calls(
                        "open_by_handle",
                        SURFACE,
                        "open a file by its handle",
                        one(SyscallNumbers.OPEN_BY_HANDLE_AT, Fcntl.AT_FDCWD, 0, 0),
                        reached())
                .calls(
                        "vsock",
                        SURFACE,
                        "speak to the hypervisor",
                        one(SyscallNumbers.SOCKET, Net.AF_VSOCK, Net.SOCK_STREAM),
                        reached())
                .openOn(BackendName.DOCKER, ENGINE)
                .calls(
                        "packet",
                        SURFACE,
                        "read the wire",
                        one(SyscallNumbers.SOCKET, Net.AF_PACKET, Net.SOCK_RAW),
                        reached())
                .calls("audit", SURFACE, "speak to the audit system", audit(), reached())
                .openOn(BackendName.DOCKER, ENGINE)
                .calls("tiocsti", SURFACE, "type into a terminal", typing(Tty.TIOCSTI), Evidence.unlessDenied(ENOTTY))
                .openOn(BackendName.DOCKER, ENGINE)
                .calls(
                        "tiocsti_high",
                        SURFACE,
                        "the same, with a bit that the kernel does not look at",
                        typing(Tty.TIOCSTI | HIGH_BIT),
                        Evidence.unlessDenied(ENOTTY))
                .openOn(BackendName.DOCKER, ENGINE)
                .calls(
                        "fanotify",
                        SURFACE,
                        "watch files by fanotify",
                        one(SyscallNumbers.FANOTIFY_INIT, FAN_REPORT_FID, Fcntl.O_RDONLY),
                        Evidence.unlessDenied())
                .calls("listmount", SURFACE, "list the mounts", one(SyscallNumbers.LISTMOUNT, 0, 0, 0, 0), reached())
                .openOn(BackendName.DOCKER, ENGINE)
                .probes();
    }

    /** Attacks by programs that run as the step's account, whoever starts them. */
    static List<Probe> setUid(Scene scene) {
        String program = scene.inside() + "/set-uid";
        ProbeCalls made = new ProbeCalls().call(SyscallNumbers.OPENAT, open(program, ORDINARY | Stat.S_ISUID));
        ProbeCalls changed = new ProbeCalls()
                .call(SyscallNumbers.OPENAT, open(program, ORDINARY))
                .call(SyscallNumbers.FCHMODAT, number(Fcntl.AT_FDCWD), text(program), number(ORDINARY | Stat.S_ISUID));
        return new ProbeGroup(scene, Setting.PLAIN, "fs")
                .calls("set_uid", SET_UID, "make a file with the set-user-id bit", made, Evidence.unlessDenied())
                .openOn(BackendName.DOCKER, ENGINE)
                .calls("set_uid_chmod", SET_UID, "set the bit on a file", changed, Evidence.unlessDenied())
                .openOn(BackendName.DOCKER, ENGINE)
                .probes();
    }

    private static String[] open(String path, int mode) {
        return new String[] {number(Fcntl.AT_FDCWD), text(path), number(Fcntl.O_CREAT | Fcntl.O_WRONLY), number(mode)};
    }

    /** Attacks by namespaces and capabilities. */
    static List<Probe> privileges(Scene scene) {
        return new ProbeGroup(scene, Setting.PLAIN, "ns")
                .calls(
                        "userns",
                        SURFACE,
                        "make a user namespace",
                        one(SyscallNumbers.UNSHARE, Sched.CLONE_NEWUSER),
                        reached())
                .openOn(BackendName.MOUNTNS, "a user namespace inside gives nothing back")
                .calls(
                        "mount",
                        CAPABILITIES,
                        "mount a file system",
                        new ProbeCalls().call(SyscallNumbers.MOUNT, text("none"), text(scene.inside()), text("tmpfs")),
                        Evidence.unlessDenied())
                .calls(
                        "chroot",
                        CAPABILITIES,
                        "change the root",
                        new ProbeCalls().call(SyscallNumbers.CHROOT, text("/")),
                        Evidence.unlessDenied())
                .calls(
                        "setns",
                        CAPABILITIES,
                        "enter the caller's mount namespace",
                        new ProbeCalls()
                                .call(
                                        SyscallNumbers.OPENAT,
                                        number(Fcntl.AT_FDCWD),
                                        text("/proc/" + scene.callerPid() + "/ns/mnt"),
                                        number(0))
                                .call(SyscallNumbers.SETNS, result(0), number(0)),
                        Evidence.unlessDenied())
                .calls(
                        "setuid",
                        CAPABILITIES,
                        "become another account",
                        one(SyscallNumbers.SETUID, OTHER_ACCOUNT),
                        unlessUnmapped())
                .calls(
                        "chown",
                        CAPABILITIES,
                        "give a file away",
                        new ProbeCalls()
                                .call(
                                        SyscallNumbers.FCHOWNAT,
                                        number(Fcntl.AT_FDCWD),
                                        text(scene.inside() + "/plain"),
                                        number(OTHER_ACCOUNT),
                                        number(OTHER_ACCOUNT)),
                        unlessUnmapped())
                .probes();
    }

    /** The kernel looks at the arguments only after it let the call through. */
    private static Evidence reached() {
        return Evidence.unlessDenied(EFAULT, EINVAL);
    }

    /** EINVAL is a refusal here: in a user namespace nothing can be given to an account that it does not map. */
    private static Evidence unlessUnmapped() {
        return Evidence.unlessRefusedBy(EINVAL);
    }

    private static ProbeCalls one(SyscallNumbers call, long... arguments) {
        String[] words = new String[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            words[i] = number(arguments[i]);
        }
        return new ProbeCalls().call(call, words);
    }

    private static ProbeCalls keys() {
        return one(SyscallNumbers.KEYCTL, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 1);
    }

    private static ProbeCalls audit() {
        return one(SyscallNumbers.SOCKET, Net.AF_NETLINK, Net.SOCK_RAW, Net.NETLINK_AUDIT);
    }

    private static ProbeCalls typing(long request) {
        return new ProbeCalls().call(SyscallNumbers.IOCTL, number(0), number(request), text("x"));
    }
}
