package dev.sandbox.linux;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.Promise;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.linux.uapi.Rlimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How limits reach a child. They belong to a process, not to a thread, so the thread that spawns cannot carry them without the whole
 * JVM; and posix_spawn(3) cannot set them. So util-linux's prlimit(1), already confined, sets them on itself and becomes the program.
 * Only when a limit is asked for: it costs another exec.
 *
 * <p>Memory is RLIMIT_DATA, not RLIMIT_AS: node, Java and Go reserve gigabytes of addresses that they never touch, and do not
 * start under a useful RLIMIT_AS. What one process holds in private memory is bounded by it; the tree is watched as a whole while it
 * runs, see {@link MemoryWatch}.
 *
 * @see <a href="https://man7.org/linux/man-pages/man1/prlimit.1.html">prlimit(1)</a>
 */
public final class LimitedLaunch {
    private static final Optional<String> PRLIMIT = HostTools.locate("prlimit");

    private LimitedLaunch() {}

    /** Whose tasks the kernel counts against the limit on processes. */
    public enum Counted {
        /** All of this account's, so those that are there already come on top. */
        ACCOUNT,
        /** Those of a user namespace of the step's own: unshare(1) and the init come on top. */
        NAMESPACE
    }

    /** What a backend that starts its steps so can promise of a limit. */
    public static Promise promise(Guarantee limit, Counted counted) {
        if (PRLIMIT.isEmpty()) {
            return Promise.missing("this host has no prlimit(1)", "install util-linux");
        }
        return switch (limit) {
            case LIMIT_MEMORY -> Promise.held("RLIMIT_DATA for each process, and a watch over the whole tree");
            case LIMIT_FILE_SIZE -> Promise.held("RLIMIT_FSIZE");
            case LIMIT_OPEN_FILES -> Promise.held("RLIMIT_NOFILE");
            case LIMIT_CPU_TIME -> Promise.held("RLIMIT_CPU for each process");
            case LIMIT_PROCESSES -> processes(counted);
            default -> throw new IllegalArgumentException(limit + " is no limit");
        };
    }

    /** Measured: the kernel lets uid 0 fork however many there are, also without capabilities and in a user namespace. */
    private static Promise processes(Counted counted) {
        if (RawSyscalls.host().getuid() == 0) {
            return Promise.missing("the kernel does not bound uid 0's processes", "an ordinary account, or docker");
        }
        return Promise.held(
                switch (counted) {
                    case ACCOUNT -> "RLIMIT_NPROC over what the account runs already";
                    case NAMESPACE -> "RLIMIT_NPROC in a user namespace";
                });
    }

    /**
     * What to put before the command's argument vector; empty when no such limit is asked for.
     *
     * @throws ConfinementException when the host has no prlimit(1)
     */
    public static List<String> prefix(Limits limits, Counted counted) {
        List<String> options = new ArrayList<>();
        add(options, "--data=", limits.memory(), Rlimit.RLIMIT_DATA);
        add(options, "--fsize=", limits.fileSize(), Rlimit.RLIMIT_FSIZE);
        add(options, "--nofile=", limits.openFiles(), Rlimit.RLIMIT_NOFILE);
        limits.cpuTime().ifPresent(time -> options.add(cpuTime(time)));
        if (limits.processes().isPresent()) {
            long already = counted == Counted.ACCOUNT ? UserTasks.count() : 2;
            long most = limits.processes().getAsLong() + already;
            add(options, "--nproc=", OptionalLong.of(most), Rlimit.RLIMIT_NPROC);
        }
        if (options.isEmpty()) {
            return List.of();
        }
        options.add(0, PRLIMIT.orElseThrow(() -> new ConfinementException("prlimit", Errno.ENOENT.number())));
        options.add("--");
        return options;
    }

    /** SIGXCPU at the soft limit, and SIGKILL a second later to who does not heed it. */
    private static String cpuTime(Duration time) {
        long most = hardLimit(Rlimit.RLIMIT_CPU);
        long seconds = Math.min(time.plusMillis(999).toSeconds(), most);
        return "--cpu=" + seconds + ":" + Math.min(seconds + 1, most);
    }

    /** Nobody may raise a hard limit without CAP_SYS_RESOURCE, and a lower one than asked for stands already. */
    private static void add(List<String> options, String option, OptionalLong limit, int resource) {
        limit.ifPresent(value -> options.add(option + Math.min(value, hardLimit(resource))));
    }

    private static long hardLimit(int resource) {
        try (NativeArena arena = new NativeArena()) {
            long limit = arena.allocate(Rlimit.SIZE);
            LinuxSyscalls.check(RawSyscalls.host().getrlimit(resource, limit), "prlimit64", "resource=" + resource);
            long hard = NativeRuntime.MEMORY.getLong(limit + Rlimit.HARD);
            // RLIM64_INFINITY is all ones.
            return hard < 0 ? Long.MAX_VALUE : hard;
        }
    }
}
