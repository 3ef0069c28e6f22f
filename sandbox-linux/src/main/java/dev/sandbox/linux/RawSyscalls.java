package dev.sandbox.linux;

import static dev.sandbox.linux.uapi.SyscallNumbers.*;

import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Seccomp;
import dev.sandbox.linux.uapi.SyscallNumbers;
import dev.sandbox.linux.uapi.Wait;

/**
 * System calls for the confined thread: each returns its result, or the negative errno. None throws, logs, allocates native
 * memory or loads a class once {@link ConfinedSpawn} has warmed up. Addresses come from a {@link NativeArena}. Not final, so
 * that a test can put a fake in its place.
 *
 * @see <a href="https://man7.org/linux/man-pages/dir_section_2.html">man pages, section 2</a>
 */
public class RawSyscalls {
    private static final RawSyscalls HOST = new RawSyscalls();

    private final LibC libc = NativeRuntime.LIBC;
    // Looked up once: an enum switch on the confined thread would load its helper class there.
    private final int rtSigprocmask = number(RT_SIGPROCMASK);
    private final int rtSigaction = number(RT_SIGACTION);
    private final int setgroups = number(SETGROUPS);
    private final int setresuid = number(SETRESUID);
    private final int setresgid = number(SETRESGID);
    private final int fchownat = number(FCHOWNAT);
    private final int capget = number(CAPGET);
    private final int capset = number(CAPSET);
    private final int pivotRoot = number(PIVOT_ROOT);
    private final int gettid = number(GETTID);
    private final int getrandom = number(GETRANDOM);
    private final int getdents64 = number(GETDENTS64);
    private final int waitid = number(WAITID);
    private final int seccomp = number(SECCOMP);
    private final int memfdCreate = number(MEMFD_CREATE);
    private final int fchmod = number(FCHMOD);
    private final int statx = number(STATX);
    private final int pidfdSendSignal = number(PIDFD_SEND_SIGNAL);
    private final int openTree = number(OPEN_TREE);
    private final int moveMount = number(MOVE_MOUNT);
    private final int fsopen = number(FSOPEN);
    private final int fsconfig = number(FSCONFIG);
    private final int fsmount = number(FSMOUNT);
    private final int pidfdOpen = number(PIDFD_OPEN);
    private final int closeRange = number(CLOSE_RANGE);
    private final int readlinkat = number(READLINKAT);
    private final int faccessat = number(FACCESSAT);
    private final int prlimit64 = number(PRLIMIT64);
    private final int openat2 = number(OPENAT2);
    private final int mountSetattr = number(MOUNT_SETATTR);
    private final int landlockCreateRuleset = number(LANDLOCK_CREATE_RULESET);
    private final int landlockAddRule = number(LANDLOCK_ADD_RULE);
    private final int landlockRestrictSelf = number(LANDLOCK_RESTRICT_SELF);

    /** For fakes; everyone else takes {@link #host()}. */
    protected RawSyscalls() {}

    /**
     * This machine's.
     *
     * @throws UnsupportedOperationException on an architecture whose numbers are not known
     */
    public static RawSyscalls host() {
        return HOST;
    }

    private static int number(SyscallNumbers call) {
        return call.on(Architecture.host());
    }

    public int landlockCreateRuleset(long attributes, long size, int flags) {
        return call(landlockCreateRuleset, attributes, size, flags, 0, 0);
    }

    public int landlockAddRule(int ruleset, int type, long attributes, int flags) {
        return call(landlockAddRule, ruleset, type, attributes, flags, 0);
    }

    public int landlockRestrictSelf(int ruleset, int flags) {
        return call(landlockRestrictSelf, ruleset, flags, 0, 0, 0);
    }

    public int prctl(int operation, long a, long b, long c, long d) {
        return orErrno(libc.prctl(operation, a, b, c, d));
    }

    public int capget(long header, long data) {
        return call(capget, header, data, 0, 0, 0);
    }

    public int capset(long header, long data) {
        return call(capset, header, data, 0, 0, 0);
    }

    /** Of this thread alone, as the two below; the C library's would change them all. */
    public int setgroups(int count, long groups) {
        return call(setgroups, count, groups, 0, 0, 0);
    }

    public int setresgid(int real, int effective, int saved) {
        return call(setresgid, real & 0xffffffffL, effective & 0xffffffffL, saved & 0xffffffffL, 0, 0);
    }

    public int setresuid(int real, int effective, int saved) {
        return call(setresuid, real & 0xffffffffL, effective & 0xffffffffL, saved & 0xffffffffL, 0, 0);
    }

    public int fchownat(int directory, long path, int uid, int gid, int flags) {
        return call(fchownat, directory, path, uid & 0xffffffffL, gid & 0xffffffffL, flags);
    }

    /** seccomp(SECCOMP_SET_MODE_FILTER, 0, program): for this thread alone. */
    public int seccompSetFilter(long program) {
        return call(seccomp, Seccomp.SECCOMP_SET_MODE_FILTER, 0, program, 0, 0);
    }

    /** rt_sigaction(signal, NULL, action, 8): what is set. */
    public int sigaction(int signal, long action) {
        return call(rtSigaction, signal, 0, action, Long.BYTES, 0);
    }

    /** rt_sigprocmask(how, set, NULL, 8): of this thread. */
    public int sigprocmask(int how, long set) {
        return call(rtSigprocmask, how, set, 0, Long.BYTES, 0);
    }

    /** rt_sigaction(signal, action, NULL, 8): sets it. */
    public int setSigaction(int signal, long action) {
        return call(rtSigaction, signal, action, 0, Long.BYTES, 0);
    }

    public int unshare(int flags) {
        return orErrno(libc.unshare(flags));
    }

    public int setns(int namespace, int type) {
        return orErrno(libc.setns(namespace, type));
    }

    public int mount(long source, long target, long type, long flags, long data) {
        return orErrno(libc.mount(source, target, type, flags, data));
    }

    public int umount2(long target, int flags) {
        return orErrno(libc.umount2(target, flags));
    }

    public int pivotRoot(long newRoot, long putOld) {
        return call(pivotRoot, newRoot, putOld, 0, 0, 0);
    }

    public int mountSetattr(int directory, long path, int flags, long attributes, long size) {
        return call(mountSetattr, directory, path, flags, attributes, size);
    }

    public int openTree(int directory, long path, int flags) {
        return call(openTree, directory, path, flags, 0, 0);
    }

    public int moveMount(int from, long fromPath, int to, long toPath, int flags) {
        return call(moveMount, from, fromPath, to, toPath, flags);
    }

    public int fsopen(long type, int flags) {
        return call(fsopen, type, flags, 0, 0, 0);
    }

    public int fsconfig(int context, int command, long key, long value, int auxiliary) {
        return call(fsconfig, context, command, key, value, auxiliary);
    }

    public int fsmount(int context, int flags, int attributes) {
        return call(fsmount, context, flags, attributes, 0, 0);
    }

    public int chdir(long path) {
        return orErrno(libc.chdir(path));
    }

    public int chroot(long path) {
        return orErrno(libc.chroot(path));
    }

    public int sethostname(long name, long length) {
        return orErrno(libc.sethostname(name, length));
    }

    public int openat(int directory, long path, int flags, int mode) {
        return orErrno(libc.openat(directory, path, flags, mode));
    }

    public int openat2(int directory, long path, long how, long size) {
        return call(openat2, directory, path, how, size, 0);
    }

    public int readlinkat(int directory, long path, long buffer, long size) {
        return call(readlinkat, directory, path, buffer, size, 0);
    }

    /** Whether this thread may execute a file, by its mode and capabilities; Landlock is not asked. */
    public int mayExecute(long path) {
        return call(faccessat, Fcntl.AT_FDCWD, path, Fcntl.X_OK, 0, 0);
    }

    /**
     * Whether this process may have these rights ({@code R_OK}, {@code W_OK}, {@code X_OK}), by owner, mode, capabilities and file
     * system; Landlock is not asked. EROFS where the file system or the mount is read-only, EPERM where the file is immutable.
     */
    public int access(long path, int rights) {
        return call(faccessat, Fcntl.AT_FDCWD, path, rights, 0, 0);
    }

    /** prlimit64(0, resource, NULL, limit): this process's. */
    public int getrlimit(int resource, long limit) {
        return call(prlimit64, 0, resource, 0, limit, 0);
    }

    public int mkdirat(int directory, long path, int mode) {
        return orErrno(libc.mkdirat(directory, path, mode));
    }

    public int unlinkat(int directory, long path, int flags) {
        return orErrno(libc.unlinkat(directory, path, flags));
    }

    public int fchmodat(int directory, long path, int mode) {
        return orErrno(libc.fchmodat(directory, path, mode, 0));
    }

    public int fchmod(int fd, int mode) {
        return call(fchmod, fd, mode, 0, 0, 0);
    }

    public int memfdCreate(long name, int flags) {
        return call(memfdCreate, name, flags, 0, 0, 0);
    }

    public int symlinkat(long target, int directory, long path) {
        return orErrno(libc.symlinkat(target, directory, path));
    }

    public int socket(int domain, int type, int protocol) {
        return orErrno(libc.socket(domain, type, protocol));
    }

    public int bind(int fd, long address, int size) {
        return orErrno(libc.bind(fd, address, size));
    }

    public int listen(int fd, int backlog) {
        return orErrno(libc.listen(fd, backlog));
    }

    public int ioctl(int fd, long request, long argument) {
        return orErrno(libc.ioctl(fd, request, argument));
    }

    public int statx(int directory, long path, int flags, int mask, long buffer) {
        return call(statx, directory, path, flags, mask, buffer);
    }

    public int getdents64(int directory, long buffer, int size) {
        return call(getdents64, directory, buffer, size, 0, 0);
    }

    public int close(int fd) {
        return orErrno(libc.close(fd));
    }

    public int closeRange(int first, int last, int flags) {
        return call(closeRange, first & 0xffffffffL, last & 0xffffffffL, flags, 0, 0);
    }

    public long read(int fd, long buffer, long size) {
        long result = libc.read(fd, buffer, size);
        return result == -1 ? -NativeRuntime.errno() : result;
    }

    public long write(int fd, long buffer, long size) {
        long result = libc.write(fd, buffer, size);
        return result == -1 ? -NativeRuntime.errno() : result;
    }

    public int pipe2(long fds, int flags) {
        return orErrno(libc.pipe2(fds, flags));
    }

    public int eventfd(int initial, int flags) {
        return orErrno(libc.eventfd(initial, flags));
    }

    public int fcntl(int fd, int command, long argument) {
        return orErrno(libc.fcntl(fd, command, argument));
    }

    public int poll(long fds, int count, int millis) {
        return orErrno(libc.poll(fds, count, millis));
    }

    public int pidfdOpen(int pid, int flags) {
        return call(pidfdOpen, pid, flags, 0, 0, 0);
    }

    public int pidfdSendSignal(int pidfd, int signal) {
        return call(pidfdSendSignal, pidfd, signal, 0, 0, 0);
    }

    /** waitid(P_PIDFD, ...), which takes Linux 5.4; {@code info} points to a {@code siginfo_t}. */
    public int waitidPidfd(int pidfd, long info, int options) {
        return call(waitid, Wait.P_PIDFD, pidfd, info, options, 0);
    }

    /** waitid(P_PID, ...). */
    public int waitidPid(int pid, long info, int options) {
        return call(waitid, Wait.P_PID, pid, info, options, 0);
    }

    public int kill(int pid, int signal) {
        return orErrno(libc.kill(pid, signal));
    }

    public int setsid() {
        return orErrno(libc.setsid());
    }

    public int gettid() {
        return call(gettid, 0, 0, 0, 0, 0);
    }

    public int getrandom(long buffer, long size, int flags) {
        return call(getrandom, buffer, size, flags, 0, 0);
    }

    public int getuid() {
        return libc.getuid();
    }

    public int geteuid() {
        return libc.geteuid();
    }

    public int getegid() {
        return libc.getegid();
    }

    public int getgid() {
        return libc.getgid();
    }

    private int call(int number, long a, long b, long c, long d, long e) {
        long result = libc.syscall(number, a, b, c, d, e);
        return result == -1 ? -NativeRuntime.errno() : (int) result;
    }

    private static int orErrno(int result) {
        return result == -1 ? -NativeRuntime.errno() : result;
    }
}
