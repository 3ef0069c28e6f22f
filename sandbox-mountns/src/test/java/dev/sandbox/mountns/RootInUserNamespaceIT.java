package dev.sandbox.mountns;

import org.junit.jupiter.api.condition.EnabledIf;

/** Root that goes the way of an ordinary user, as one without CAP_SYS_ADMIN has to. */
@EnabledIf(value = "isPrivileged", disabledReason = "needs root: this account goes that way anyhow")
class RootInUserNamespaceIT extends MountNamespaceContract {
    private static final MountNamespaceBackend BACKEND = Box.backend(Privilege.USER_NAMESPACE);

    static boolean isPrivileged() {
        return Privilege.ofThisProcess() == Privilege.MOUNTS;
    }

    @Override
    MountNamespaceBackend backend() {
        return BACKEND;
    }

    @Override
    Privilege privilege() {
        return Privilege.USER_NAMESPACE;
    }
}
