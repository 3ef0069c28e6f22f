package dev.sandbox.mountns;

import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.RawSyscalls;
import org.junit.jupiter.api.condition.EnabledIf;

/** Before Linux 6.18 the namespace's init must mount its /proc. */
@EnabledIf(value = "isPrivileged", disabledReason = "needs root: this account has no CAP_SYS_ADMIN")
class OldKernelEnforcerIT extends MountNamespaceContract {
    private static final int ENOSYS = 38;
    private static final MountNamespaceBackend BACKEND =
            new MountNamespaceBackend(new LinuxSyscalls(new OldKernel()), Box.HOST, MountNamespaceBackend.Way.SYSCALLS);

    static boolean isPrivileged() {
        return Privilege.mayMount(RawSyscalls.host());
    }

    private static final class OldKernel extends RawSyscalls {
        @Override
        public int fsopen(long type, int flags) {
            return -ENOSYS;
        }
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
