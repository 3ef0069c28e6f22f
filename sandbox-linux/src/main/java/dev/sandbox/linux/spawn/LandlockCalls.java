package dev.sandbox.linux.spawn;

import dev.sandbox.linux.uapi.SyscallNumbers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Entries about Landlock, for a ruleset that the child builds itself: a rule binds to the inode behind a descriptor, and below a mount
 * of its own only the child can open that.
 *
 * @see <a href="https://docs.kernel.org/userspace-api/landlock.html">Landlock: unprivileged access control</a>
 */
public final class LandlockCalls {
    private static final int PATH_BENEATH = 1;
    private static final int PARENT_FD = 8;
    /** 12 bytes, packed, and room for the 64-bit word that a result takes. */
    private static final int PATH_BENEATH_ROOM = 16;

    private LandlockCalls() {}

    /**
     * @param size of {@code struct landlock_ruleset_attr} in this kernel's ABI
     * @param handled the file system's rights that need a rule
     * @param net the network's
     * @param scoped what stays inside
     */
    public static Entry create(Slot ruleset, int size, long handled, long net, long scoped) {
        Block attributes = Block.words(
                "{fs=0x" + Long.toHexString(handled) + ", net=0x" + Long.toHexString(net) + ", scoped=" + scoped + "}",
                handled,
                net,
                scoped);
        return Entry.Call.of(
                        "make a ruleset",
                        SyscallNumbers.LANDLOCK_CREATE_RULESET,
                        Argument.at(attributes),
                        Argument.of(size),
                        Argument.of(0))
                .into(ruleset);
    }

    /** Allows rights beneath a path, which is opened for that; no link leads the rule to another file. */
    public static List<Entry> allow(Slot ruleset, Argument from, String path, String shown, long rights) {
        ByteBuffer bytes = ByteBuffer.allocate(PATH_BENEATH_ROOM).order(ByteOrder.LITTLE_ENDIAN);
        Block beneath = Block.bytes(
                "{allow=0x" + Long.toHexString(rights) + "}",
                bytes.putLong(0, rights).array());
        Slot file = beneath.slot(PARENT_FD);
        return List.of(
                FileCalls.openWithoutLinks(file, "the rule's " + shown, from, path),
                Entry.Call.of(
                        "allow " + shown,
                        SyscallNumbers.LANDLOCK_ADD_RULE,
                        Argument.in(ruleset),
                        Argument.of(PATH_BENEATH),
                        Argument.at(beneath),
                        Argument.of(0)),
                DescriptorCalls.close(file));
    }

    /** The child, and what it becomes, has no more than the ruleset allows. Needs no_new_privs. */
    public static Entry restrictSelf(Argument ruleset) {
        return Entry.Call.of("restrict_self", SyscallNumbers.LANDLOCK_RESTRICT_SELF, ruleset, Argument.of(0));
    }
}
