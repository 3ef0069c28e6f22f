package dev.sandbox.mountns;

import dev.sandbox.linux.Capabilities;
import dev.sandbox.linux.RawSyscalls;
import dev.sandbox.linux.uapi.Capability;

/** What this account may do without a user namespace. */
enum Privilege {
    /** Root with CAP_SYS_ADMIN to mount, and CAP_SETPCAP to give everything up afterwards. */
    MOUNTS,
    /** Everybody else, who may mount in a user namespace of their own. */
    USER_NAMESPACE;

    static Privilege ofThisProcess() {
        boolean mounts = RawSyscalls.host().geteuid() == 0
                && Capabilities.ofThisProcess().has(Capability.CAP_SETPCAP, Capability.CAP_SYS_ADMIN);
        return mounts ? MOUNTS : USER_NAMESPACE;
    }

    boolean needsUserNamespace() {
        return this == USER_NAMESPACE;
    }
}
