package dev.sandbox.linux;

import dev.sandbox.domain.guarantee.Promise;

/** What a backend that changes its steps' identity by system calls can promise of it. */
public final class RunAsPromise {
    private RunAsPromise() {}

    /** By the capabilities of this process. */
    public static Promise ofThisProcess() {
        return ConfinementSteps.mayRunAs()
                ? Promise.held("setresuid(2) on the step's thread")
                : Promise.missing(
                        "only root with CAP_SETUID, CAP_SETGID and CAP_CHOWN may run a step as somebody else",
                        "remove run_as");
    }
}
