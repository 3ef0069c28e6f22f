package dev.sandbox.mountns;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.Promise;
import dev.sandbox.linux.LimitedLaunch;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

/** What the backend promises once its proof has passed. */
final class Promises {
    private static final String MOUNTS = "a file system of its own";

    private Promises() {}

    /** @param runAs what the way of this host makes of another identity */
    static Map<Guarantee, Promise> held(Promise runAs) {
        Map<Guarantee, Promise> promises = new EnumMap<>(Guarantee.class);
        promises.put(Guarantee.FS_READ, Promise.held(MOUNTS));
        promises.put(Guarantee.FS_WRITE, Promise.held(MOUNTS));
        promises.put(Guarantee.FS_CARVE_OUT, Promise.held("masks inside the grants"));
        promises.put(Guarantee.FS_METADATA, Promise.held("read-only mounts"));
        promises.put(Guarantee.PROC_PRIVATE, Promise.held("PID namespace"));
        promises.put(Guarantee.SIGNAL_SCOPE, Promise.held("PID namespace"));
        promises.put(
                Guarantee.UNIX_SCOPE,
                Promise.onRequest(
                        "abstract unix sockets belong to the network namespace; when required, network: none or seccomp takes them away",
                        "require: [unix.scope]"));
        promises.put(Guarantee.TMP_PRIVATE, Promise.held("a tmpfs of its own"));
        promises.put(Guarantee.NET_NONE, Promise.held("network namespace"));
        promises.put(Guarantee.KILL_TREE, Promise.held("PID namespace"));
        promises.put(Guarantee.RUN_AS, runAs);
        for (Guarantee limit : EnumSet.range(Guarantee.LIMIT_MEMORY, Guarantee.LIMIT_CPU_TIME)) {
            promises.put(limit, LimitedLaunch.promise(limit, LimitedLaunch.Counted.NAMESPACE));
        }
        return promises;
    }
}
