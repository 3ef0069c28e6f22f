package dev.sandbox.mountns;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.Promise;
import dev.sandbox.linux.RunAsPromise;
import dev.sandbox.linux.StepLimits;
import dev.sandbox.linux.landlock.LandlockAbi;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;

/** What the backend promises once its proof has passed. */
final class Promises {
    private static final String MOUNTS = "a file system of its own";

    private Promises() {}

    static Map<Guarantee, Promise> held(Privilege privilege, Optional<LandlockAbi> landlock) {
        Map<Guarantee, Promise> promises = new EnumMap<>(Guarantee.class);
        promises.put(Guarantee.FS_READ, Promise.held(MOUNTS));
        promises.put(Guarantee.FS_WRITE, Promise.held(MOUNTS));
        promises.put(Guarantee.FS_CARVE_OUT, Promise.held(carveOut(landlock)));
        promises.put(Guarantee.FS_METADATA, Promise.held("read-only mounts"));
        promises.put(Guarantee.PROC_PRIVATE, Promise.held("PID namespace"));
        promises.put(Guarantee.SIGNAL_SCOPE, Promise.held("PID namespace"));
        promises.put(Guarantee.UNIX_SCOPE, unixScope(landlock));
        promises.put(Guarantee.TMP_PRIVATE, Promise.held("a tmpfs of its own"));
        promises.put(Guarantee.NET_NONE, Promise.held("network namespace"));
        promises.put(Guarantee.KILL_TREE, Promise.held("PID namespace"));
        promises.put(Guarantee.RUN_AS, runAs(privilege));
        for (Guarantee limit : EnumSet.range(Guarantee.LIMIT_MEMORY, Guarantee.LIMIT_CPU_TIME)) {
            promises.put(limit, StepLimits.promise(limit, StepLimits.Counted.NAMESPACE));
        }
        return promises;
    }

    private static String carveOut(Optional<LandlockAbi> landlock) {
        String masks = "masks inside the grants";
        return landlock.isPresent()
                ? masks
                : masks + "; without Landlock a step that has them gets no unix socket but connected pairs";
    }

    private static Promise unixScope(Optional<LandlockAbi> landlock) {
        boolean scoped = landlock.filter(abi -> abi.atLeast(LandlockAbi.SCOPES)).isPresent();
        String abstractOnes = scoped
                ? "Landlock's scope keeps abstract unix sockets of others out of reach, those inside a grant are reached by name"
                : "abstract unix sockets belong to the network namespace";
        return Promise.onRequest(
                abstractOnes + "; when required, network: none or seccomp takes them all away",
                "require: [unix.scope]");
    }

    /** In a user namespace there is one identity. */
    private static Promise runAs(Privilege privilege) {
        return privilege.needsUserNamespace()
                ? Promise.missing("a user namespace knows one identity", "root, with CAP_SYS_ADMIN")
                : RunAsPromise.ofThisProcess();
    }
}
