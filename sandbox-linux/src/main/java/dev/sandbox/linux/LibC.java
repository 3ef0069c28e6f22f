package dev.sandbox.linux;

/**
 * The C library's functions as they are: no logic. Addresses are passed as {@code long}, so that a call allocates nothing
 * and loads no class. Public only because the generated stub lives in another class loader; use {@link RawSyscalls} or
 * {@link LinuxSyscalls}.
 *
 * <p>No function here has exactly six arguments: jnr-ffi 2.2.19's stub for x86-64 takes the sixth from the wrong place on the
 * stack (X86_64StubCompiler counts 4 bytes per argument there). From seven on it uses no stub.
 *
 * @see <a href="https://man7.org/linux/man-pages/dir_section_2.html">man pages, section 2</a>
 */
public interface LibC {
    /** Of the variadic function, the form with six arguments. */
    long syscall(long number, long a, long b, long c, long d, long e, long f);

    int prctl(int operation, long a, long b, long c, long d);

    int openat(int directory, long path, int flags, int mode);

    int mkdirat(int directory, long path, int mode);

    int unlinkat(int directory, long path, int flags);

    int fchmodat(int directory, long path, int mode, int flags);

    int symlinkat(long target, int directory, long path);

    int close(int fd);

    long read(int fd, long buffer, long size);

    long write(int fd, long buffer, long size);

    int pipe2(long fds, int flags);

    int eventfd(int initial, int flags);

    int fcntl(int fd, int command, long argument);

    int poll(long fds, long count, int millis);

    int kill(int pid, int signal);

    int setsid();

    int unshare(int flags);

    int setns(int fd, int type);

    int chdir(long path);

    int chroot(long path);

    int mount(long source, long target, long type, long flags, long data);

    int umount2(long target, int flags);

    int sethostname(long name, long length);

    int socket(int domain, int type, int protocol);

    int bind(int fd, long address, int size);

    int listen(int fd, int backlog);

    int ioctl(int fd, long request, long argument);

    int getuid();

    int geteuid();

    int getgid();

    int getegid();

    int sigemptyset(long set);

    int sigfillset(long set);

    /** The last argument is none of the function's, which ignores it: see above. Pass 0. */
    int posix_spawn(long pid, long path, long fileActions, long attributes, long argv, long envp, long padding);

    int posix_spawnattr_init(long attributes);

    int posix_spawnattr_destroy(long attributes);

    int posix_spawnattr_setflags(long attributes, short flags);

    int posix_spawnattr_setsigmask(long attributes, long set);

    int posix_spawnattr_setsigdefault(long attributes, long set);

    int posix_spawn_file_actions_init(long actions);

    int posix_spawn_file_actions_destroy(long actions);

    int posix_spawn_file_actions_adddup2(long actions, int from, int to);

    int posix_spawn_file_actions_addopen(long actions, int fd, long path, int flags, int mode);

    /** glibc 2.29, musl 1.1.24. */
    int posix_spawn_file_actions_addchdir_np(long actions, long path);

    /** glibc 2.34; musl has none: the call then throws {@link UnsatisfiedLinkError}. */
    int posix_spawn_file_actions_addclosefrom_np(long actions, int from);

    long calloc(long count, long size);

    void free(long address);
}
