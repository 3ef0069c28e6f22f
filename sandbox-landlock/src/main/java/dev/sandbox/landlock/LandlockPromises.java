package dev.sandbox.landlock;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.Promise;
import dev.sandbox.linux.RunAsPromise;
import dev.sandbox.linux.StepLimits;
import dev.sandbox.linux.landlock.LandlockAbi;
import java.util.EnumMap;
import java.util.Map;

/** What Landlock of one ABI can promise, with or without delegated cgroups. Pure. */
final class LandlockPromises {
    private static final String OTHER = "use the backend mountns or docker";

    private LandlockPromises() {}

    static Map<Guarantee, Promise> of(LandlockAbi abi, boolean cgroups) {
        Map<Guarantee, Promise> promises = new EnumMap<>(Guarantee.class);
        for (Guarantee guarantee : Guarantee.values()) {
            promises.put(guarantee, of(guarantee, abi, cgroups));
        }
        return promises;
    }

    private static Promise of(Guarantee guarantee, LandlockAbi abi, boolean cgroups) {
        return switch (guarantee) {
            case FS_READ -> Promise.held("landlock ABI " + abi.version());
            case FS_WRITE ->
                abi.atLeast(3)
                        ? Promise.held("landlock ABI " + abi.version())
                        : Promise.missing(
                                "ABI " + abi.version() + " lets a readable file be truncated",
                                "a kernel from 6.2 on, or mountns");
            case FS_CARVE_OUT -> Promise.missing("landlock rules only add", OTHER);
            case FS_METADATA -> Promise.missing("landlock does not govern chmod, utime and xattr", OTHER);
            case PROC_PRIVATE -> Promise.missing("the step shares the host's PID namespace", OTHER);
            case SIGNAL_SCOPE ->
                abi.atLeast(LandlockAbi.SCOPES)
                        ? Promise.held("landlock scope, ABI " + abi.version())
                        : Promise.missing(
                                "landlock ABI " + abi.version() + " has no scopes",
                                "a kernel from 6.12 on, or mountns");
            case UNIX_SCOPE ->
                Promise.onRequest(
                        unixSockets(abi) + "; when required, seccomp leaves no unix socket but connected pairs",
                        "require: [unix.scope]");
            case TMP_PRIVATE -> Promise.missing("landlock cannot give another /tmp; TMPDIR is redirected", OTHER);
            case NET_NONE -> Promise.held("seccomp filter on the step");
            case NET_TCP ->
                abi.atLeast(LandlockAbi.NETWORK)
                        ? Promise.held("landlock ports, ABI " + abi.version() + "; seccomp closes UDP and raw sockets")
                        : Promise.missing("landlock ABI " + abi.version() + " knows no ports", "a kernel from 6.7 on");
            case NET_DOMAINS -> Promise.missing("domain filtering is not available", "network: none, or allow");
            case KILL_TREE -> killTree(cgroups);
            case LIMIT_MEMORY, LIMIT_PROCESSES, LIMIT_FILE_SIZE, LIMIT_OPEN_FILES, LIMIT_CPU_TIME ->
                StepLimits.promise(guarantee, StepLimits.Counted.ACCOUNT);
            case RUN_AS -> RunAsPromise.ofThisProcess();
        };
    }

    private static String unixSockets(LandlockAbi abi) {
        return abi.atLeast(LandlockAbi.UNIX_SOCKETS)
                ? "landlock ABI " + abi.version()
                        + " keeps unix sockets outside out of reach, those inside a grant are reached by name"
                : "landlock before ABI " + LandlockAbi.UNIX_SOCKETS + " does not govern pathname unix sockets";
    }

    private static Promise killTree(boolean cgroups) {
        String usual = "process group, session and environment marker: a process that leaves all three lives on";
        return cgroups
                ? Promise.onRequest(
                        usual + "; when required, a cgroup for each run, and cgroup.kill", "require: [kill.tree]")
                : Promise.missing(
                        usual,
                        "delegate a cgroup of version 2 to this account (Delegate=yes in its unit), or " + OTHER);
    }
}
