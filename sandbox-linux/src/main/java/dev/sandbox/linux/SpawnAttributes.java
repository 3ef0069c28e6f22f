package dev.sandbox.linux;

import dev.sandbox.linux.uapi.CloseRange;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Spawn;
import java.util.ArrayList;
import java.util.List;

/**
 * What the child changes about itself between vfork and exec: an own session, default signals, the standard streams, the
 * working directory, and no other descriptor.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/posix_spawn.3.html">posix_spawn(3)</a>
 */
final class SpawnAttributes implements AutoCloseable {
    private static final LibC LIBC = NativeRuntime.LIBC;
    private static final int FIRST_INHERITED_FD = 3;
    private static final int LAST_FD = -1;

    final long attributes;
    final long fileActions;
    private final boolean closesInChild;
    private final int firstClosed;
    private final List<FileDescriptor> raised = new ArrayList<>();

    SpawnAttributes(
            NativeArena arena,
            StandardStreams streams,
            boolean controlling,
            List<FileDescriptor> descriptors,
            long workingDirectory) {
        this.firstClosed = FIRST_INHERITED_FD + descriptors.size();
        this.attributes = arena.allocate(Spawn.ATTR_SIZE);
        this.fileActions = arena.allocate(Spawn.FILE_ACTIONS_SIZE);
        checked(LIBC.posix_spawnattr_init(attributes), "posix_spawnattr_init");
        checked(LIBC.posix_spawn_file_actions_init(fileActions), "posix_spawn_file_actions_init");
        signals(arena);
        for (int child = 0; child < FIRST_INHERITED_FD; child++) {
            // Also where both numbers are the same: that clears the close-on-exec flag (glibc 2.29).
            checked(LIBC.posix_spawn_file_actions_adddup2(fileActions, streams.source(child), child), "adddup2");
        }
        if (controlling) {
            // The leader of a session without a terminal gets the one that it opens; no action does ioctl(TIOCSCTTY).
            // By descriptor: in another mount namespace its name is another's.
            long again = arena.string("/proc/self/fd/1");
            checked(
                    LIBC.posix_spawn_file_actions_addopen(fileActions, 0, again, Fcntl.O_RDWR, 0),
                    "posix_spawn_file_actions_addopen");
        }
        for (int i = 0; i < descriptors.size(); i++) {
            int source = raise(descriptors.get(i));
            checked(LIBC.posix_spawn_file_actions_adddup2(fileActions, source, FIRST_INHERITED_FD + i), "adddup2");
        }
        checked(LIBC.posix_spawn_file_actions_addchdir_np(fileActions, workingDirectory), "addchdir_np");
        this.closesInChild = ChildCloses.SUPPORTED && addCloseFrom(fileActions, firstClosed);
    }

    /** Out of the way of the numbers that the child's descriptors get: an earlier dup2 would close a source among them. */
    private int raise(FileDescriptor descriptor) {
        RawSyscalls raw = RawSyscalls.host();
        int copy = LinuxSyscalls.check(
                raw.fcntl(descriptor.number(), Fcntl.F_DUPFD_CLOEXEC, firstClosed), "fcntl", "F_DUPFD_CLOEXEC");
        raised.add(new FileDescriptor(copy, raw));
        return copy;
    }

    /** The JVM blocks and ignores signals (SIGPIPE among them); a step expects the defaults. */
    private void signals(NativeArena arena) {
        long set = arena.allocate(Spawn.SIGSET_SIZE);
        LIBC.sigemptyset(set);
        checked(LIBC.posix_spawnattr_setsigmask(attributes, set), "setsigmask");
        LIBC.sigfillset(set);
        checked(LIBC.posix_spawnattr_setsigdefault(attributes, set), "setsigdefault");
        int flags = Spawn.POSIX_SPAWN_SETSIGDEF | Spawn.POSIX_SPAWN_SETSIGMASK | Spawn.POSIX_SPAWN_SETSID;
        checked(LIBC.posix_spawnattr_setflags(attributes, (short) flags), "setflags");
    }

    /** Whether this libc can close in the child; the system property is for tests of the other way. */
    private static final class ChildCloses {
        static final boolean SUPPORTED = !Boolean.getBoolean("dev.sandbox.linux.noCloseFrom");
    }

    private static boolean addCloseFrom(long fileActions, int first) {
        try {
            int errno = LIBC.posix_spawn_file_actions_addclosefrom_np(fileActions, first);
            return errno == 0;
        } catch (UnsatisfiedLinkError absent) {
            return false;
        }
    }

    /**
     * On the confined thread, before the spawn: where libc cannot close in the child, gives the thread its own descriptor
     * table and marks all of it close-on-exec. 0 or an errno.
     */
    int closeOnThread(RawSyscalls syscalls) {
        if (closesInChild) {
            return 0;
        }
        int flags = CloseRange.CLOSE_RANGE_UNSHARE | CloseRange.CLOSE_RANGE_CLOEXEC;
        return -syscalls.closeRange(FIRST_INHERITED_FD, LAST_FD, flags);
    }

    private static void checked(int errno, String call) {
        if (errno != 0) {
            throw new SyscallException(call, "", errno);
        }
    }

    @Override
    public void close() {
        raised.forEach(FileDescriptor::close);
        LIBC.posix_spawn_file_actions_destroy(fileActions);
        LIBC.posix_spawnattr_destroy(attributes);
    }
}
