package dev.sandbox.linux.landlock;

import dev.sandbox.linux.LinuxSyscalls;
import java.util.Optional;

/**
 * What a kernel's Landlock can do.
 *
 * @param version the ABI, from 1 on; capped at the newest that this code knows
 * @param errata the fixed errata as a bit set ({@code LANDLOCK_CREATE_RULESET_ERRATA}, Linux 6.15); 0 when the kernel cannot say
 * @see <a href="https://docs.kernel.org/userspace-api/landlock.html">Landlock: unprivileged access control</a>
 */
public record LandlockAbi(int version, int errata) implements Comparable<LandlockAbi> {
    /** The newest ABI that this code plans for: later ones add rights, which then stay unhandled. */
    public static final int NEWEST_KNOWN = 9;

    /** From this on, TCP ports may be restricted (Linux 6.7). */
    public static final int NETWORK = 4;

    /** From this on, signals and abstract unix sockets may be scoped (Linux 6.12). */
    public static final int SCOPES = 6;

    /**
     * From this on, connecting to pathname unix sockets may be restricted. ABI 8 before it restricts nothing more: it can bind all
     * threads of a process at once, where here a child binds itself.
     */
    public static final int UNIX_SOCKETS = 9;

    private static final int VERSION_FLAG = 1;
    private static final int ERRATA_FLAG = 2;

    /** An ABI without errata. */
    public static LandlockAbi of(int version) {
        return new LandlockAbi(Math.min(version, NEWEST_KNOWN), 0);
    }

    /** This kernel's; absent when it was built or booted without Landlock. */
    public static Optional<LandlockAbi> query(LinuxSyscalls syscalls) {
        int version = syscalls.raw().landlockCreateRuleset(0, 0, VERSION_FLAG);
        if (version <= 0) {
            return Optional.empty();
        }
        int errata = syscalls.raw().landlockCreateRuleset(0, 0, ERRATA_FLAG);
        return Optional.of(new LandlockAbi(Math.min(version, NEWEST_KNOWN), Math.max(errata, 0)));
    }

    /** True when this ABI is the given one or newer. */
    public boolean atLeast(int wanted) {
        return version >= wanted;
    }

    @Override
    public int compareTo(LandlockAbi other) {
        return Integer.compare(version, other.version);
    }
}
