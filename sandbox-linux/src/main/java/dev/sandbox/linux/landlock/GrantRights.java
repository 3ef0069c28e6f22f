package dev.sandbox.linux.landlock;

import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.resolve.Access;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** From what a policy grants on a path to the rights that a rule on it may carry. Pure. */
public final class GrantRights {
    /** A socket inside a read grant can be spoken to, as in a mount namespace: a read-only mount does not forbid that either. */
    private static final Set<FsRight> READ =
            EnumSet.of(FsRight.EXECUTE, FsRight.READ_FILE, FsRight.READ_DIR, FsRight.RESOLVE_UNIX);

    private static final Set<FsRight> LIST = EnumSet.of(FsRight.READ_DIR);
    private static final Set<FsRight> DEVICE =
            EnumSet.of(FsRight.READ_FILE, FsRight.WRITE_FILE, FsRight.TRUNCATE, FsRight.IOCTL_DEV);
    /** Device nodes are not a step's to make, whatever its rights. */
    private static final Set<FsRight> WRITE = EnumSet.complementOf(EnumSet.of(FsRight.MAKE_CHAR, FsRight.MAKE_BLOCK));

    private GrantRights() {}

    /**
     * The rights of one rule. A directory's right on anything else is EINVAL, and so is a right that the ABI does not know: both are
     * left out.
     *
     * @param access a grant, no block
     * @param kind what stands at the path
     * @return perhaps empty, when nothing of the access applies to that kind; a rule without rights is ENOMSG
     * @throws IllegalArgumentException when {@code access} is a block: rules only add
     */
    public static Set<FsRight> of(Access access, EntryKind kind, LandlockAbi abi) {
        EnumSet<FsRight> rights = EnumSet.copyOf(of(access));
        rights.retainAll(FsRight.of(abi));
        if (kind != EntryKind.DIRECTORY) {
            rights.removeIf(right -> !right.appliesToFiles());
        }
        return Collections.unmodifiableSet(rights);
    }

    private static Set<FsRight> of(Access access) {
        return switch (access) {
            case READ -> READ;
            case WRITE -> WRITE;
            case LIST -> LIST;
            case DEVICE -> DEVICE;
            case BLOCKED, BLOCKED_WRITE -> throw new IllegalArgumentException(access + " is no grant");
        };
    }
}
