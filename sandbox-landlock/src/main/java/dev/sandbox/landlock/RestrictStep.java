package dev.sandbox.landlock;

import dev.sandbox.linux.ConfinementStep;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.RawSyscalls;

/**
 * Binds the thread to a ruleset. Never with LANDLOCK_RESTRICT_SELF_TSYNC: that would confine the whole JVM.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/landlock_restrict_self.2.html">landlock_restrict_self(2)</a>
 */
final class RestrictStep implements ConfinementStep {
    private final RawSyscalls syscalls;
    private final int ruleset;

    RestrictStep(RawSyscalls syscalls, FileDescriptor ruleset) {
        this.syscalls = syscalls;
        this.ruleset = ruleset.number();
    }

    @Override
    public String name() {
        return "landlock_restrict_self";
    }

    @Override
    public int apply() {
        return -syscalls.landlockRestrictSelf(ruleset, 0);
    }
}
