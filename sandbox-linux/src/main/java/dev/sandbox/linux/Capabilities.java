package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Capability;
import dev.sandbox.linux.uapi.Prctl;

/**
 * The capabilities of this process, as bits.
 *
 * @param effective what it may use now
 * @param permitted what it may make effective
 * @param last the highest that the kernel knows
 * @see <a href="https://man7.org/linux/man-pages/man7/capabilities.7.html">capabilities(7)</a>
 */
public record Capabilities(long effective, long permitted, int last) {
    private static final class OfThisProcess {
        static final Capabilities VALUE = read(RawSyscalls.host());
    }

    /** This process's; they are looked at once, for a JVM does not change its own. */
    public static Capabilities ofThisProcess() {
        return OfThisProcess.VALUE;
    }

    private static Capabilities read(RawSyscalls raw) {
        int last = 0;
        while (last < Capability.LAST_POSSIBLE && raw.prctl(Prctl.PR_CAPBSET_READ, last + 1L, 0, 0, 0) >= 0) {
            last++;
        }
        try (NativeArena arena = new NativeArena()) {
            long header = arena.allocate(Capability.HEADER_SIZE);
            NativeArena.putInt(header, Capability.LINUX_CAPABILITY_VERSION_3);
            long data = arena.allocate(Capability.DATA_SIZE);
            LinuxSyscalls.check(raw.capget(header, data), "capget", "");
            return new Capabilities(
                    word(data, Capability.EFFECTIVE_LOW, Capability.EFFECTIVE_HIGH),
                    word(data, Capability.PERMITTED_LOW, Capability.PERMITTED_HIGH),
                    last);
        }
    }

    private static long word(long data, int low, int high) {
        return (NativeArena.getInt(data + low) & 0xffffffffL)
                | ((long) NativeArena.getInt(data + high) << Integer.SIZE);
    }

    /** All that there are: what the first process of a user namespace has. */
    public Capabilities all() {
        long all = -1L >>> (Long.SIZE - 1 - last);
        return new Capabilities(all, all, last);
    }

    /** Whether they are all effective. */
    public boolean has(int... capabilities) {
        for (int capability : capabilities) {
            if ((effective >> capability & 1) == 0) {
                return false;
            }
        }
        return true;
    }
}
