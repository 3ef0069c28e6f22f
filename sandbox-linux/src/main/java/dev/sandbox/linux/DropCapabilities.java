package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Capability;
import dev.sandbox.linux.uapi.Prctl;

/**
 * Takes every capability from the thread: the bounding set, the ambient set, then the three others. A root child that kept
 * CAP_PERFMON could read the JVM's environment through Landlock; one with CAP_SYS_ADMIN could unmount a mask.
 *
 * <p>Dropping from the bounding set takes CAP_SETPCAP, which an ordinary user has not. It has no capabilities to keep
 * either, and {@code no_new_privs}, which must be set too, lets no program file give it any.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/capabilities.7.html">capabilities(7)</a>
 */
final class DropCapabilities implements ConfinementStep {
    // Plain ints: Errno.EPERM would initialise the enum on the confined thread.
    private static final int EPERM = 1;
    private static final int EINVAL = 22;

    // Never freed: one step serves all spawns of the JVM.
    private static final long HEADER = headerOfThisThread();
    private static final long NO_CAPABILITIES = new NativeArena().allocate(Capability.DATA_SIZE);

    private final RawSyscalls syscalls;

    DropCapabilities(RawSyscalls syscalls) {
        this.syscalls = syscalls;
    }

    private static long headerOfThisThread() {
        long header = new NativeArena().allocate(Capability.HEADER_SIZE);
        NativeArena.putInt(header, Capability.LINUX_CAPABILITY_VERSION_3);
        return header;
    }

    @Override
    public String name() {
        return "drop_capabilities";
    }

    @Override
    public int apply() {
        int errno = dropBoundingSet();
        if (errno == 0) {
            // EINVAL: a kernel before 4.3 has no ambient set.
            int cleared = syscalls.prctl(Prctl.PR_CAP_AMBIENT, Prctl.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
            errno = cleared == -EINVAL ? 0 : -cleared;
        }
        return errno != 0 ? errno : -syscalls.capset(HEADER, NO_CAPABILITIES);
    }

    private int dropBoundingSet() {
        for (int capability = 0; capability <= Capability.LAST_POSSIBLE; capability++) {
            int result = syscalls.prctl(Prctl.PR_CAPBSET_DROP, capability, 0, 0, 0);
            // EINVAL: one past the kernel's last capability. EPERM: no CAP_SETPCAP, as an ordinary user has it.
            if (result == -EINVAL || result == -EPERM) {
                return 0;
            }
            if (result < 0) {
                return -result;
            }
        }
        return 0;
    }
}
