package dev.sandbox.linux;

import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.linux.uapi.Sched;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A posix_spawn with everything that it points to, built before a thread is confined and carried out on it. Spawns once.
 * The memory lives until {@link #close()}, which must come after the thread has ended.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/posix_spawn.3.html">posix_spawn(3)</a>
 */
public final class PreparedSpawn implements AutoCloseable {
    // Plain ints: the enum would be initialised on the confined thread.
    private static final int ENOENT = 2;
    private static final int EACCES = 13;
    private static final int ENOTDIR = 20;

    private final LibC libc = NativeRuntime.LIBC;
    private final RawSyscalls syscalls = RawSyscalls.host();
    private final NativeArena arena;
    private final String askedFor;
    private final List<String> programs;
    private final long[] programAddresses;
    private final long[] launcher;
    private final long argv;
    private final long envp;
    private final long workingDirectory;
    private final long pidAddress;
    private final SpawnAttributes attributes;
    private int pid;
    private int failedProgram;
    private Failure failure = Failure.EXECUTION;

    /** What an errno of {@link #spawn()} is about. */
    enum Failure {
        EXECUTION,
        WORKING_DIRECTORY,
        DESCRIPTORS,
        LAUNCHER
    }

    private PreparedSpawn(SpawnRequest request, StandardStreams streams, NativeArena arena) {
        this.arena = arena;
        this.askedFor = request.argv().get(0);
        this.programs = request.programs();
        this.programAddresses = programs.stream().mapToLong(arena::string).toArray();
        List<String> prefix = new ArrayList<>();
        request.cgroup().ifPresent(cgroup -> prefix.addAll(RunCgroup.launcher(request.environment())));
        prefix.addAll(LimitedLaunch.prefix(request.limits(), LimitedLaunch.Counted.ACCOUNT));
        this.launcher = prefix.stream().limit(1).mapToLong(arena::string).toArray();
        this.argv = arena.strings(
                Stream.concat(prefix.stream(), request.argv().stream()).toList());
        this.envp = arena.strings(environment(request));
        this.workingDirectory = arena.string(request.workingDirectory());
        this.pidAddress = arena.allocate(Integer.BYTES);
        List<FileDescriptor> descriptors =
                request.cgroup().map(RunCgroup::gate).map(List::of).orElseGet(request::descriptors);
        boolean controlling = request.stdin() == Stdio.TERMINAL && request.controlling();
        this.attributes = new SpawnAttributes(arena, streams, controlling, descriptors, workingDirectory);
    }

    /**
     * Prepares the child of a request; its {@code confinement} is not looked at, and of its streams only whether they are a terminal.
     *
     * @throws IllegalArgumentException when a text holds a NUL
     */
    public static PreparedSpawn build(SpawnRequest request, StandardStreams streams) {
        NativeArena arena = new NativeArena();
        try {
            return new PreparedSpawn(request, streams, arena);
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    private static List<String> environment(SpawnRequest request) {
        Map<String, String> all = new LinkedHashMap<>();
        // First, so that the sweep finds it at the beginning of most environments.
        all.put(SpawnRequest.MARKER_VARIABLE, request.marker());
        boolean mangled = request.cgroup().isPresent();
        Map<String, String> variables = mangled ? MangledEnvironment.of(request.environment()) : request.environment();
        variables.forEach(all::putIfAbsent);
        List<String> entries = new ArrayList<>(all.size());
        all.forEach((name, value) -> entries.add(name + "=" + value));
        return entries;
    }

    /** On the confined thread: tries the programs in order; 0 when one was executed, else the errno to report. */
    public int spawn() {
        int closed = attributes.closeOnThread(syscalls);
        if (closed != 0) {
            failure = Failure.DESCRIPTORS;
            return closed;
        }
        int errno = launcher.length == 0 ? tryPrograms() : launch();
        return errno == 0 ? 0 : explain(errno);
    }

    /**
     * By the launcher that sets the limits. It looks the program up as execvp(3) does, but would tell of one that is missing only by
     * its exit code: so look first, from where the child will start, on this thread, which sees what the child will.
     */
    private int launch() {
        int errno = -syscalls.unshare(Sched.CLONE_FS);
        if (errno == 0) {
            errno = -syscalls.chdir(workingDirectory);
        }
        if (errno != 0) {
            failure = Failure.WORKING_DIRECTORY;
            return errno;
        }
        errno = findProgram();
        if (errno != 0) {
            return errno;
        }
        failure = Failure.LAUNCHER;
        return spawn(launcher[0]);
    }

    private int findProgram() {
        int refused = -1;
        for (int i = 0; i < programAddresses.length; i++) {
            int errno = -syscalls.mayExecute(programAddresses[i]);
            if (errno == 0) {
                return 0;
            }
            refused = errno == EACCES && refused < 0 ? i : refused;
        }
        failedProgram = Math.max(refused, 0);
        return refused < 0 ? ENOENT : EACCES;
    }

    private int spawn(long program) {
        int errno = libc.posix_spawn(pidAddress, program, attributes.fileActions, attributes.attributes, argv, envp, 0);
        if (errno == 0) {
            pid = NativeRuntime.MEMORY.getInt(pidAddress);
        }
        return errno;
    }

    /** As execvp(3): a candidate that is absent gives way to the next, and so does one that may not be executed, remembered. */
    private int tryPrograms() {
        int refused = -1;
        for (int i = 0; i < programAddresses.length; i++) {
            int errno = spawn(programAddresses[i]);
            if (errno == 0) {
                return 0;
            }
            if (errno == EACCES) {
                refused = refused < 0 ? i : refused;
            } else if (errno != ENOENT && errno != ENOTDIR) {
                failedProgram = i;
                return errno;
            }
        }
        failedProgram = Math.max(refused, 0);
        return refused < 0 ? ENOENT : EACCES;
    }

    /** posix_spawn gives one errno for chdir and exec: try the chdir on this thread, which has ceased to matter. */
    private int explain(int errno) {
        if (failure == Failure.EXECUTION && syscalls.unshare(Sched.CLONE_FS) == 0) {
            int changed = syscalls.chdir(workingDirectory);
            if (changed < 0) {
                failure = Failure.WORKING_DIRECTORY;
                return -changed;
            }
        }
        return errno;
    }

    /** The child's process id as the JVM sees it; 0 before {@link #spawn()} has succeeded. */
    public int pid() {
        return pid;
    }

    Failure failure() {
        return failure;
    }

    /** The candidate that the errno is about. */
    String failedProgram() {
        return programs.get(failedProgram);
    }

    @Override
    public void close() {
        attributes.close();
        arena.close();
    }

    /** The program as the command names it. */
    String askedFor() {
        return askedFor;
    }

    /** True when the program was looked for in several places. */
    boolean isSearch() {
        return programs.size() > 1;
    }
}
