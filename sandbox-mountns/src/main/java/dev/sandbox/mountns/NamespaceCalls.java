package dev.sandbox.mountns;

import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.NativeArena;
import dev.sandbox.linux.PreparedSpawn;
import dev.sandbox.linux.RawSyscalls;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Sched;
import java.nio.charset.StandardCharsets;

/**
 * What the confined thread calls to build the namespaces; everything that the calls point to is made beforehand. Each gives 0 or
 * a positive errno. Sources and targets are looked up without following a symbolic link, by openat2(2): a step that still runs
 * under the same grants cannot lead a mount astray.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/mount_setattr.2.html">mount_setattr(2)</a>
 */
final class NamespaceCalls implements AutoCloseable {
    private static final int EINTR = 4;
    private static final int EPROTO = 71;
    private static final int PATH_ONLY = Fcntl.O_PATH | Fcntl.O_NOFOLLOW | Fcntl.O_CLOEXEC;
    private static final int ANSWER_SIZE = 4096;
    /** Any directory that every host has: it is covered for two calls only. */
    private static final String STAGE = "/usr";

    private final RawSyscalls raw;
    private final NativeArena arena = new NativeArena();
    private final long root = arena.string("/");
    private final long here = arena.string(".");
    private final long empty = arena.string("");
    private final long tmpfs = arena.string("tmpfs");
    private final long devpts = arena.string("devpts");
    private final long stage = arena.string(STAGE);
    private final long stagedOld = arena.string(STAGE + "/old");
    private final long stagedNew = arena.string(STAGE + "/new");
    private final long ownMounts = arena.string("/proc/thread-self/ns/mnt");
    private final long oldRoot = arena.string("/old");
    private final long stagedRoot = arena.string("/new");
    private final long stageOptions = arena.string("mode=0755,size=1m");
    private final long devptsOptions = arena.string("newinstance,ptmxmode=0666,mode=0620");
    private final long pathOnly = arena.allocate(MountApi.OPEN_HOW_SIZE);
    private final long readOnly = attributes(MountApi.MOUNT_ATTR_RDONLY);
    private final long answer = arena.allocate(ANSWER_SIZE);
    private final long interfaceRequest = arena.allocate(MountApi.IFREQ_SIZE);
    private int answered;
    private final NewRoot newRoot;
    private final ProcMount proc;
    private int hostFd = -1;
    private int kept = -1;

    NamespaceCalls(RawSyscalls raw) {
        this.raw = raw;
        this.newRoot = new NewRoot(raw);
        this.proc = new ProcMount(raw, arena);
        NativeArena.putLong(pathOnly, PATH_ONLY);
        NativeArena.putLong(pathOnly + MountApi.OPEN_HOW_RESOLVE, MountApi.RESOLVE_NO_SYMLINKS);
        NativeArena.putInt(interfaceRequest, 'l' | 'o' << 8);
        NativeArena.putInt(interfaceRequest + MountApi.IFREQ_FLAGS, MountApi.IFF_UP_RUNNING);
    }

    long string(String text) {
        return arena.string(text);
    }

    long attributes(long set) {
        long address = arena.allocate(MountApi.MOUNT_ATTR_SIZE);
        NativeArena.putLong(address, set);
        return address;
    }

    int unshare(int flags) {
        return -raw.unshare(flags);
    }

    /** Opens the thread's own mount namespace, so that it stays; to be called while there is a /proc. */
    int keep() {
        kept = raw.openat(Fcntl.AT_FDCWD, ownMounts, Fcntl.O_CLOEXEC, 0);
        return kept < 0 ? -kept : 0;
    }

    /** What {@link #keep} has opened; the caller's from now on. */
    int kept() {
        int fd = kept;
        kept = -1;
        return fd;
    }

    /** Opens what is mounted at a place of the thread's mount namespace, without what is mounted below it; the caller's from then on. */
    int open(long place, int[] opened) {
        int flags = MountApi.OPEN_TREE_CLONE | MountApi.OPEN_TREE_CLOEXEC;
        opened[0] = raw.openTree(Fcntl.AT_FDCWD, place, flags);
        return opened[0] < 0 ? -opened[0] : 0;
    }

    /** Attaches what {@link #open} has opened. */
    int attachOpened(int tree, long target) {
        return -attach(tree, target);
    }

    /** Enters a mount namespace, at its root. A thread that shares its root and working directory with others may not. */
    int enter(int mountNamespace) {
        int result = raw.unshare(Sched.CLONE_FS);
        return -(result < 0 ? result : raw.setns(mountNamespace, Sched.CLONE_NEWNS));
    }

    int makePrivate() {
        return -raw.mount(0, root, 0, MountApi.MS_REC | MountApi.MS_PRIVATE, 0);
    }

    /** A loopback that is down refuses even 127.0.0.1. */
    int loopbackUp() {
        int socket = raw.socket(MountApi.AF_INET, MountApi.SOCK_DGRAM_CLOEXEC, 0);
        if (socket < 0) {
            return -socket;
        }
        int result = raw.ioctl(socket, MountApi.SIOCSIFFLAGS, interfaceRequest);
        raw.close(socket);
        return -result;
    }

    /** Turns a tmpfs into the root with the host below it, so that no place of the host is covered while its paths are looked up. */
    int stage(long options) {
        int result = raw.mount(tmpfs, stage, tmpfs, MountApi.MS_NOSUID | MountApi.MS_NODEV, stageOptions);
        result = result < 0 ? result : raw.mkdirat(Fcntl.AT_FDCWD, stagedOld, 0700);
        result = result < 0 ? result : raw.mkdirat(Fcntl.AT_FDCWD, stagedNew, 0700);
        result = result < 0 ? result : raw.pivotRoot(stage, stagedOld);
        result = result < 0 ? result : raw.chdir(root);
        result = result < 0
                ? result
                : raw.mount(tmpfs, stagedRoot, tmpfs, MountApi.MS_NOSUID | MountApi.MS_NODEV, options);
        if (result < 0) {
            return -result;
        }
        hostFd = raw.openat(Fcntl.AT_FDCWD, oldRoot, PATH_ONLY, 0);
        return hostFd < 0 ? -hostFd : newRoot.open(stagedRoot);
    }

    NewRoot newRoot() {
        return newRoot;
    }

    ProcMount proc() {
        return proc;
    }

    int bindHost(long source, long target, long attributes) {
        return bind(hostFd, source, target, attributes);
    }

    int bindOwn(long source, long target, long attributes) {
        return bind(newRoot.fd(), source, target, attributes);
    }

    /** The attributes are set on a detached copy of the whole tree, before anybody can see it. */
    private int bind(int from, long source, long target, long attributes) {
        int fd = raw.openat2(from, source, pathOnly, MountApi.OPEN_HOW_SIZE);
        if (fd < 0) {
            return -fd;
        }
        int flags = MountApi.OPEN_TREE_CLONE | MountApi.OPEN_TREE_CLOEXEC | Fcntl.AT_EMPTY_PATH | MountApi.AT_RECURSIVE;
        int tree = raw.openTree(fd, empty, flags);
        raw.close(fd);
        if (tree < 0) {
            return -tree;
        }
        int result = raw.mountSetattr(
                tree, empty, Fcntl.AT_EMPTY_PATH | MountApi.AT_RECURSIVE, attributes, MountApi.MOUNT_ATTR_SIZE);
        result = result < 0 ? result : attach(tree, target);
        raw.close(tree);
        return -result;
    }

    private int attach(int tree, long target) {
        int fd = raw.openat2(newRoot.fd(), target, pathOnly, MountApi.OPEN_HOW_SIZE);
        if (fd < 0) {
            return fd;
        }
        int both = MountApi.MOVE_MOUNT_F_EMPTY_PATH | MountApi.MOVE_MOUNT_T_EMPTY_PATH;
        int result = raw.moveMount(tree, empty, fd, empty, both);
        raw.close(fd);
        return result;
    }

    /** By an absolute path: nothing above /dev/pts belongs to a step. */
    int devpts(long target) {
        return -raw.mount(devpts, target, devpts, MountApi.MS_NOSUID | MountApi.MS_NOEXEC, devptsOptions);
    }

    /** Lets go of the host. */
    int leaveHost() {
        closeRoots();
        int result = raw.umount2(oldRoot, MountApi.MNT_DETACH);
        result = result < 0 ? result : raw.chdir(stagedRoot);
        result = result < 0 ? result : raw.pivotRoot(here, here);
        result = result < 0 ? result : raw.umount2(here, MountApi.MNT_DETACH);
        return -(result < 0 ? result : raw.chdir(root));
    }

    int seal() {
        return -raw.mountSetattr(Fcntl.AT_FDCWD, root, 0, readOnly, MountApi.MOUNT_ATTR_SIZE);
    }

    int hostName(long name, int length) {
        return -raw.sethostname(name, length);
    }

    /** Starts the init and waits for its word; our copy of its end is closed, or its death would not be seen. */
    int init(PreparedSpawn init, FileDescriptor theirs, FileDescriptor ours) {
        int errno = init.spawn();
        theirs.close();
        return errno != 0 ? errno : await(ours.number());
    }

    private int await(int fd) {
        while (true) {
            long got = raw.read(fd, answer + answered, ANSWER_SIZE - answered);
            if (got == -EINTR) {
                continue;
            }
            if (got <= 0) {
                return got == 0 ? EPROTO : (int) -got;
            }
            answered += (int) got;
            if (NativeArena.getInt(answer) == InitScript.READY && answered >= InitScript.READY_LENGTH) {
                return 0;
            }
        }
    }

    /** What the init said instead of being ready. */
    String answer() {
        byte[] text = new byte[answered];
        NativeArena.copy(answer, text, 0, answered);
        return new String(text, StandardCharsets.UTF_8).trim();
    }

    private void closeRoots() {
        if (hostFd >= 0) {
            raw.close(hostFd);
        }
        hostFd = -1;
        newRoot.close();
    }

    /** After the thread has ended. */
    @Override
    public void close() {
        closeRoots();
        if (kept >= 0) {
            raw.close(kept);
        }
        arena.close();
    }
}
