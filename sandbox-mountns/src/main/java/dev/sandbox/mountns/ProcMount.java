package dev.sandbox.mountns;

import dev.sandbox.linux.NativeArena;
import dev.sandbox.linux.RawSyscalls;
import dev.sandbox.linux.uapi.Fcntl;

/**
 * Mounts the /proc of another PID namespace, from outside: that takes Linux 6.18. Before, only a process inside can do it. What is
 * called on the confined thread gives 0 or a positive errno.
 *
 * @see <a href="https://docs.kernel.org/filesystems/proc.html">The /proc file system, pidns=</a>
 */
final class ProcMount {
    private static final int ATTRIBUTES = (int) (MountApi.MOUNT_ATTR_RDONLY
            | MountApi.MOUNT_ATTR_NOSUID
            | MountApi.MOUNT_ATTR_NODEV
            | MountApi.MOUNT_ATTR_NOEXEC);

    private final RawSyscalls raw;
    private final long type;
    private final long target;
    private final long option;
    private final long empty;
    private final long ownNamespace;

    ProcMount(RawSyscalls raw, NativeArena arena) {
        this.raw = raw;
        this.type = arena.string("proc");
        this.target = arena.string("/proc");
        this.option = arena.string("pidns");
        this.empty = arena.string("");
        this.ownNamespace = arena.string("/proc/self/ns/pid");
    }

    /** Whether this kernel can, tried with our own namespace. */
    static boolean isPossible(RawSyscalls raw) {
        try (NativeArena arena = new NativeArena()) {
            ProcMount mount = new ProcMount(raw, arena);
            int namespace = raw.openat(Fcntl.AT_FDCWD, mount.ownNamespace, Fcntl.O_CLOEXEC, 0);
            int tree = namespace < 0 ? namespace : mount.tree(namespace);
            mount.close(namespace);
            mount.close(tree);
            return tree >= 0;
        }
    }

    /** Mounts the one that a process sees. */
    int of(int pid) {
        int pidfd = raw.pidfdOpen(pid, 0);
        int namespace = pidfd < 0 ? pidfd : raw.ioctl(pidfd, MountApi.PIDFD_GET_PID_NAMESPACE, 0);
        int tree = namespace < 0 ? namespace : tree(namespace);
        int result =
                tree < 0 ? tree : raw.moveMount(tree, empty, Fcntl.AT_FDCWD, target, MountApi.MOVE_MOUNT_F_EMPTY_PATH);
        close(pidfd);
        close(namespace);
        close(tree);
        return -result;
    }

    private int tree(int namespace) {
        int context = raw.fsopen(type, MountApi.FSOPEN_CLOEXEC);
        int result = context < 0 ? context : raw.fsconfig(context, MountApi.FSCONFIG_SET_FD, option, 0, namespace);
        result = result < 0 ? result : raw.fsconfig(context, MountApi.FSCONFIG_CMD_CREATE, 0, 0, 0);
        result = result < 0 ? result : raw.fsmount(context, MountApi.FSMOUNT_CLOEXEC, ATTRIBUTES);
        close(context);
        return result;
    }

    private void close(int fd) {
        if (fd >= 0) {
            raw.close(fd);
        }
    }
}
