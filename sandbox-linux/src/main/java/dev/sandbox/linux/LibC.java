package dev.sandbox.linux;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.Library;
import com.kenai.jffi.Type;

/**
 * The C library's functions as they are: no logic. Addresses are passed as {@code long}, so that a call allocates nothing
 * and loads no class. Use {@link RawSyscalls} or {@link LinuxSyscalls}.
 *
 * <p>By jffi's invoker, not by jnr-ffi's interfaces: for those jnr-ffi loads some 300 classes and writes more with ASM, which no class
 * archive holds, and that takes longer than to start a step. Every argument goes as 64 bits: on x86-64 and aarch64 a function that takes
 * an {@code int} looks at the lower half of the register alone, and so does a variadic one.
 *
 * @see <a href="https://man7.org/linux/man-pages/dir_section_2.html">man pages, section 2</a>
 */
final class LibC {
    private static final Invoker INVOKER = Invoker.getInstance();
    private static final CallContext[] INT = signatures(Type.SINT32);
    private static final CallContext[] LONG = signatures(Type.SINT64);

    private final long syscall = address("syscall");
    private final long prctl = address("prctl");
    private final long openat = address("openat");
    private final long mkdirat = address("mkdirat");
    private final long unlinkat = address("unlinkat");
    private final long fchmodat = address("fchmodat");
    private final long symlinkat = address("symlinkat");
    private final long close = address("close");
    private final long read = address("read");
    private final long write = address("write");
    private final long pipe2 = address("pipe2");
    private final long eventfd = address("eventfd");
    private final long fcntl = address("fcntl");
    private final long poll = address("poll");
    private final long kill = address("kill");
    private final long setsid = address("setsid");
    private final long unshare = address("unshare");
    private final long setns = address("setns");
    private final long chdir = address("chdir");
    private final long chroot = address("chroot");
    private final long mount = address("mount");
    private final long umount2 = address("umount2");
    private final long sethostname = address("sethostname");
    private final long socket = address("socket");
    private final long bind = address("bind");
    private final long listen = address("listen");
    private final long ioctl = address("ioctl");
    private final long getuid = address("getuid");
    private final long geteuid = address("geteuid");
    private final long getgid = address("getgid");
    private final long getegid = address("getegid");
    private final long calloc = address("calloc");
    private final long free = address("free");

    /** With so many arguments, by index; errno is kept after each call. */
    private static CallContext[] signatures(Type result) {
        CallContext[] signatures = new CallContext[7];
        for (int count = 0; count < signatures.length; count++) {
            Type[] arguments = new Type[count];
            for (int i = 0; i < count; i++) {
                arguments[i] = Type.SINT64;
            }
            signatures[count] = CallContext.getCallContext(result, arguments, CallingConvention.DEFAULT, true);
        }
        return signatures;
    }

    private static long address(String function) {
        long address = Library.getDefault().getSymbolAddress(function);
        if (address == 0) {
            throw new UnsatisfiedLinkError("the C library has no function " + function);
        }
        return address;
    }

    /** Of the variadic function, the form with five arguments. */
    long syscall(long number, long a, long b, long c, long d, long e) {
        return INVOKER.invokeN6(LONG[6], syscall, number, a, b, c, d, e);
    }

    int prctl(int operation, long a, long b, long c, long d) {
        return (int) INVOKER.invokeN5(INT[5], prctl, operation, a, b, c, d);
    }

    int openat(int directory, long path, int flags, int mode) {
        return (int) INVOKER.invokeN4(INT[4], openat, directory, path, flags, mode);
    }

    int mkdirat(int directory, long path, int mode) {
        return (int) INVOKER.invokeN3(INT[3], mkdirat, directory, path, mode);
    }

    int unlinkat(int directory, long path, int flags) {
        return (int) INVOKER.invokeN3(INT[3], unlinkat, directory, path, flags);
    }

    int fchmodat(int directory, long path, int mode, int flags) {
        return (int) INVOKER.invokeN4(INT[4], fchmodat, directory, path, mode, flags);
    }

    int symlinkat(long target, int directory, long path) {
        return (int) INVOKER.invokeN3(INT[3], symlinkat, target, directory, path);
    }

    int close(int fd) {
        return (int) INVOKER.invokeN1(INT[1], close, fd);
    }

    long read(int fd, long buffer, long size) {
        return INVOKER.invokeN3(LONG[3], read, fd, buffer, size);
    }

    long write(int fd, long buffer, long size) {
        return INVOKER.invokeN3(LONG[3], write, fd, buffer, size);
    }

    int pipe2(long fds, int flags) {
        return (int) INVOKER.invokeN2(INT[2], pipe2, fds, flags);
    }

    int eventfd(int initial, int flags) {
        return (int) INVOKER.invokeN2(INT[2], eventfd, initial, flags);
    }

    int fcntl(int fd, int command, long argument) {
        return (int) INVOKER.invokeN3(INT[3], fcntl, fd, command, argument);
    }

    int poll(long fds, long count, int millis) {
        return (int) INVOKER.invokeN3(INT[3], poll, fds, count, millis);
    }

    int kill(int pid, int signal) {
        return (int) INVOKER.invokeN2(INT[2], kill, pid, signal);
    }

    int setsid() {
        return (int) INVOKER.invokeN0(INT[0], setsid);
    }

    int unshare(int flags) {
        return (int) INVOKER.invokeN1(INT[1], unshare, flags);
    }

    int setns(int fd, int type) {
        return (int) INVOKER.invokeN2(INT[2], setns, fd, type);
    }

    int chdir(long path) {
        return (int) INVOKER.invokeN1(INT[1], chdir, path);
    }

    int chroot(long path) {
        return (int) INVOKER.invokeN1(INT[1], chroot, path);
    }

    int mount(long source, long target, long type, long flags, long data) {
        return (int) INVOKER.invokeN5(INT[5], mount, source, target, type, flags, data);
    }

    int umount2(long target, int flags) {
        return (int) INVOKER.invokeN2(INT[2], umount2, target, flags);
    }

    int sethostname(long name, long length) {
        return (int) INVOKER.invokeN2(INT[2], sethostname, name, length);
    }

    int socket(int domain, int type, int protocol) {
        return (int) INVOKER.invokeN3(INT[3], socket, domain, type, protocol);
    }

    int bind(int fd, long address, int size) {
        return (int) INVOKER.invokeN3(INT[3], bind, fd, address, size);
    }

    int listen(int fd, int backlog) {
        return (int) INVOKER.invokeN2(INT[2], listen, fd, backlog);
    }

    int ioctl(int fd, long request, long argument) {
        return (int) INVOKER.invokeN3(INT[3], ioctl, fd, request, argument);
    }

    int getuid() {
        return (int) INVOKER.invokeN0(INT[0], getuid);
    }

    int geteuid() {
        return (int) INVOKER.invokeN0(INT[0], geteuid);
    }

    int getgid() {
        return (int) INVOKER.invokeN0(INT[0], getgid);
    }

    int getegid() {
        return (int) INVOKER.invokeN0(INT[0], getegid);
    }

    long calloc(long count, long size) {
        return INVOKER.invokeN2(LONG[2], calloc, count, size);
    }

    void free(long address) {
        INVOKER.invokeN1(LONG[1], free, address);
    }
}
