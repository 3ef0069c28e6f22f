package dev.sandbox.mountns;

import dev.sandbox.linux.NativeArena;
import dev.sandbox.linux.RawSyscalls;
import dev.sandbox.linux.uapi.Capability;

/** What this account may do without a user namespace. */
final class Privilege {
    private static final int CAP_SETPCAP = 8;
    private static final int CAP_SYS_ADMIN = 21;

    private Privilege() {}

    /** Root with CAP_SYS_ADMIN to mount, and CAP_SETPCAP to give everything up afterwards. */
    static boolean mayMount(RawSyscalls raw) {
        if (raw.geteuid() != 0) {
            return false;
        }
        try (NativeArena arena = new NativeArena()) {
            long header = arena.allocate(Capability.HEADER_SIZE);
            NativeArena.putInt(header, Capability.LINUX_CAPABILITY_VERSION_3);
            long data = arena.allocate(Capability.DATA_SIZE);
            int needed = 1 << CAP_SYS_ADMIN | 1 << CAP_SETPCAP;
            return raw.capget(header, data) == 0 && (NativeArena.getInt(data) & needed) == needed;
        }
    }
}
