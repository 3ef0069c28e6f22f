package dev.sandbox.linux;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.Promise;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.linux.spawn.Entry;
import dev.sandbox.linux.spawn.LimitCalls;
import dev.sandbox.linux.uapi.Rlimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How limits reach a child: it sets them on itself, confined already.
 *
 * <p>Memory is RLIMIT_DATA, not RLIMIT_AS: node, Java and Go reserve gigabytes of addresses that they never touch, and do not
 * start under a useful RLIMIT_AS. What one process holds in private memory is bounded by it; the tree is watched as a whole while it
 * runs, see {@link TreeWatch}.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/getrlimit.2.html">setrlimit(2)</a>
 */
public final class StepLimits {
    private StepLimits() {}

    /** Whose tasks the kernel counts against the limit on processes. */
    public enum Counted {
        /** All of this account's, so those that are there already come on top. */
        ACCOUNT,
        /** Those of a user namespace of the step's own. */
        NAMESPACE
    }

    /** What a backend that starts its steps so can promise of a limit. */
    public static Promise promise(Guarantee limit, Counted counted) {
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
            return Promise.held("a watch over the whole tree: the kernel does not count uid 0's processes");
        }
        return Promise.held(
                switch (counted) {
                    case ACCOUNT -> "RLIMIT_NPROC over what the account runs already, and a watch over the whole tree";
                    case NAMESPACE -> "RLIMIT_NPROC in a user namespace, and a watch over the whole tree";
                });
    }

    /**
     * What the child does to have these limits.
     *
     * @param uid as whom it runs
     */
    static List<Entry> entries(Limits limits, Counted counted, long uid) {
        List<Entry> entries = new ArrayList<>();
        limits.memory().ifPresent(bytes -> entries.add(entry("memory", bytes, Rlimit.RLIMIT_DATA)));
        limits.fileSize().ifPresent(bytes -> entries.add(entry("file_size", bytes, Rlimit.RLIMIT_FSIZE)));
        limits.openFiles().ifPresent(files -> entries.add(entry("open_files", files, Rlimit.RLIMIT_NOFILE)));
        limits.cpuTime().ifPresent(time -> entries.add(cpuTime(time)));
        limits.processes().ifPresent(most -> {
            long already = counted == Counted.ACCOUNT ? UserTasks.count(uid) : 0;
            entries.add(entry("processes", most + already, Rlimit.RLIMIT_NPROC));
        });
        return entries;
    }

    /** SIGXCPU at the soft limit, and SIGKILL a second later to who does not heed it. */
    private static Entry cpuTime(Duration time) {
        long most = hardLimit(Rlimit.RLIMIT_CPU);
        long seconds = Math.min(time.plusMillis(999).toSeconds(), most);
        return LimitCalls.limit("cpu_time", Rlimit.RLIMIT_CPU, seconds, Math.min(seconds + 1, most));
    }

    /** Nobody may raise a hard limit without CAP_SYS_RESOURCE, and a lower one than asked for stands already. */
    private static Entry entry(String what, long value, int resource) {
        long most = Math.min(value, hardLimit(resource));
        return LimitCalls.limit(what, resource, most, most);
    }

    /** The bytes that a stack may take here, of which arguments and environment are a share. */
    static long stack() {
        return limit(Rlimit.RLIMIT_STACK, 0);
    }

    private static long hardLimit(int resource) {
        return limit(resource, Rlimit.HARD);
    }

    private static long limit(int resource, int field) {
        try (NativeArena arena = new NativeArena()) {
            long limit = arena.allocate(Rlimit.SIZE);
            LinuxSyscalls.check(RawSyscalls.host().getrlimit(resource, limit), "prlimit64", "resource=" + resource);
            long value = NativeRuntime.MEMORY.getLong(limit + field);
            // RLIM64_INFINITY is all ones.
            return value < 0 ? Long.MAX_VALUE : value;
        }
    }
}
