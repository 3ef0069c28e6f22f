package dev.sandbox.mountns;

import dev.sandbox.linux.RawSyscalls;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(value = "isPrivileged", disabledReason = "needs root: this account has no CAP_SYS_ADMIN")
class SyscallEnforcerIT extends MountNamespaceContract {
    private static final MountNamespaceBackend BACKEND = Box.backend(MountNamespaceBackend.Way.SYSCALLS);

    static boolean isPrivileged() {
        return Privilege.mayMount(RawSyscalls.host());
    }

    @Override
    MountNamespaceBackend backend() {
        return BACKEND;
    }

    @Override
    MountNamespaceBackend.Way way() {
        return MountNamespaceBackend.Way.SYSCALLS;
    }
}
