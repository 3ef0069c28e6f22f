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
    private static final long OWN_CAPABILITIES = ownWithoutInheritable();

    private final RawSyscalls syscalls;
    private final String name;
    private final long kept;

    private DropCapabilities(RawSyscalls syscalls, String name, long kept) {
        this.syscalls = syscalls;
        this.name = name;
        this.kept = kept;
    }

    /** From the thread, and so from what it executes. */
    static DropCapabilities ofTheThread(RawSyscalls syscalls) {
        return new DropCapabilities(syscalls, "drop_capabilities", NO_CAPABILITIES);
    }

    /** From what the thread executes: it keeps its own, to finish what the program must not be able to undo. */
    static DropCapabilities ofPrograms(RawSyscalls syscalls) {
        return new DropCapabilities(syscalls, "drop_inheritable_capabilities", OWN_CAPABILITIES);
    }

    private static long ownWithoutInheritable() {
        long data = new NativeArena().allocate(Capability.DATA_SIZE);
        LinuxSyscalls.check(RawSyscalls.host().capget(HEADER, data), "capget", "");
        NativeArena.putInt(data + Capability.INHERITABLE_LOW, 0);
        NativeArena.putInt(data + Capability.INHERITABLE_HIGH, 0);
        return data;
    }

    /** Whether this thread has them all in effect; for the first 32. */
    static boolean has(int... capabilities) {
        // The effective set comes first in the data.
        int effective = NativeArena.getInt(OWN_CAPABILITIES);
        for (int capability : capabilities) {
            if ((effective >> capability & 1) == 0) {
                return false;
            }
        }
        return true;
    }

    private static long headerOfThisThread() {
        long header = new NativeArena().allocate(Capability.HEADER_SIZE);
        NativeArena.putInt(header, Capability.LINUX_CAPABILITY_VERSION_3);
        return header;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int apply() {
        int errno = dropBoundingSet();
        if (errno == 0) {
            // EINVAL: a kernel before 4.3 has no ambient set.
            int cleared = syscalls.prctl(Prctl.PR_CAP_AMBIENT, Prctl.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
            errno = cleared == -EINVAL ? 0 : -cleared;
        }
        return errno != 0 ? errno : -syscalls.capset(HEADER, kept);
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
