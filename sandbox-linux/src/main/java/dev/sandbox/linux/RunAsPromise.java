package dev.sandbox.linux;

import dev.sandbox.domain.guarantee.Promise;
import dev.sandbox.linux.uapi.Capability;

/** What a backend that changes its steps' identity by system calls can promise of it. */
public final class RunAsPromise {
    private RunAsPromise() {}

    /** By the capabilities of this process. */
    public static Promise ofThisProcess() {
        return mayRunAs()
                ? Promise.held("setresuid(2) in the step")
                : Promise.missing(
                        "only root with CAP_SETUID, CAP_SETGID and CAP_CHOWN may run a step as somebody else",
                        "remove run_as");
    }

    /** Whether this process may give a step any identity, and folders to it. */
    private static boolean mayRunAs() {
        return Capabilities.ofThisProcess().has(Capability.CAP_CHOWN, Capability.CAP_SETGID, Capability.CAP_SETUID);
    }
}
