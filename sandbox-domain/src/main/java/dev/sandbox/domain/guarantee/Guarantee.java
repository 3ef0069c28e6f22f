package dev.sandbox.domain.guarantee;

import java.util.Arrays;
import java.util.Optional;

/**
 * The language between a policy and a backend: a policy implies some of these and may require more, a backend declares which it
 * holds on this host. Ordered as shown to people.
 */
public enum Guarantee {
    FS_READ("fs.read", "nothing outside the grants is read"),
    FS_WRITE("fs.write", "nothing outside the write grants is written, truncated, created or deleted"),
    FS_CARVE_OUT("fs.carve_out", "blocked and blocked-write paths inside a grant hold, existing or not"),
    FS_METADATA("fs.metadata", "no chmod, chown, utime or xattr outside the write grants"),
    PROC_PRIVATE("proc.private", "the step sees only its own processes"),
    SIGNAL_SCOPE("signal.scope", "the step cannot signal processes outside"),
    UNIX_SCOPE("unix.scope", "the step cannot connect to abstract or pathname unix sockets outside"),
    TMP_PRIVATE("tmp.private", "the step has a /tmp of its own"),
    NET_NONE("net.none", "the step has no network"),
    NET_TCP("net.tcp", "the step reaches named TCP ports only"),
    NET_DOMAINS("net.domains", "the step reaches named domains only"),
    KILL_TREE("kill.tree", "every descendant ends with the run"),
    LIMIT_MEMORY("limit.memory", "memory of the step is bounded"),
    LIMIT_PROCESSES("limit.processes", "the number of processes is bounded"),
    LIMIT_FILE_SIZE("limit.file_size", "the size of a written file is bounded"),
    LIMIT_OPEN_FILES("limit.open_files", "the number of open files is bounded"),
    LIMIT_CPU_TIME("limit.cpu_time", "the time on processors of each process is bounded"),
    RUN_AS("identity.run_as", "the step runs under another identity");

    private final String id;
    private final String meaning;

    Guarantee(String id, String meaning) {
        this.id = id;
        this.meaning = meaning;
    }

    /** The name in policies, options and results, for example {@code fs.carve_out}. */
    public String id() {
        return id;
    }

    /** What it promises, for people. */
    public String meaning() {
        return meaning;
    }

    /** The guarantee of this name. */
    public static Optional<Guarantee> of(String id) {
        return Arrays.stream(values()).filter(g -> g.id.equals(id)).findFirst();
    }
}
