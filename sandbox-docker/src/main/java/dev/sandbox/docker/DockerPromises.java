package dev.sandbox.docker;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.Promise;
import java.util.EnumMap;
import java.util.Map;

/** What an engine can promise. Pure. */
final class DockerPromises {
    private DockerPromises() {}

    static Map<Guarantee, Promise> of(EngineFacts engine, CallerIdentity caller) {
        Map<Guarantee, Promise> promises = new EnumMap<>(Guarantee.class);
        for (Guarantee guarantee : Guarantee.values()) {
            promises.put(guarantee, of(guarantee, engine, caller));
        }
        return promises;
    }

    private static Promise of(Guarantee guarantee, EngineFacts engine, CallerIdentity caller) {
        return switch (guarantee) {
            case FS_READ, FS_WRITE, FS_METADATA -> Promise.held("the container's mount namespace");
            case FS_CARVE_OUT -> Promise.held("mounts over the blocked paths");
            case PROC_PRIVATE, SIGNAL_SCOPE, KILL_TREE -> Promise.held("the container's PID namespace");
            case UNIX_SCOPE ->
                engine.open() == ContainerNetwork.HOST
                        ? Promise.missing(
                                "this engine has no bridge, so network: allow means the host's network and its abstract sockets",
                                "an engine with its default bridge")
                        : Promise.held("the container's mount and network namespaces");
            case TMP_PRIVATE -> Promise.held("a tmpfs of its own");
            case NET_NONE -> Promise.held("network none");
            case NET_TCP -> Promise.missing("a container's network is all or nothing", "network: none, or allow");
            case NET_DOMAINS -> Promise.missing("domain filtering is not available", "network: none, or allow");
            case LIMIT_MEMORY, LIMIT_PROCESSES -> Promise.held("the container's cgroup");
            case LIMIT_FILE_SIZE, LIMIT_OPEN_FILES, LIMIT_CPU_TIME -> Promise.held("rlimits of the container");
            case RUN_AS ->
                caller.isRoot() && engine.userIds() != EngineFacts.UserIds.ROOTLESS
                        ? Promise.held("the container's user")
                        : Promise.missing(
                                "only root, on an engine of the machine's own, may run a step as somebody else",
                                "remove run_as");
        };
    }
}
