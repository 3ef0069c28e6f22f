package dev.sandbox.linux.spawn;

import dev.sandbox.linux.uapi.Capability;
import dev.sandbox.linux.uapi.Prctl;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.ArrayList;
import java.util.List;

/**
 * Entries about who the child is and what it may. Capabilities fall at execve(2), not before: a child that shares the JVM's memory and
 * has permitted capabilities is out of the reach of processes that have none, and so is the JVM's memory through it. What it has in
 * effect is taken away earlier, so that files are looked up as the command will.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/capabilities.7.html">capabilities(7)</a>
 */
public final class IdentityCalls {
    /** NOROOT, NO_SETUID_FIXUP, each locked, and KEEP_CAPS_LOCKED: root is nobody special to execve. */
    private static final long SECUREBITS = 0x2f;

    private IdentityCalls() {}

    /**
     * Nothing that the child executes gets a capability. Takes CAP_SETPCAP.
     *
     * @param last the highest capability that the kernel knows
     */
    public static List<Entry> dropCapabilitiesAtExec(int last) {
        List<Entry> entries = new ArrayList<>();
        entries.add(prctl("set the securebits", Prctl.PR_SET_SECUREBITS, SECUREBITS));
        for (int capability = 0; capability <= last; capability++) {
            entries.add(prctl("drop capability " + capability, Prctl.PR_CAPBSET_DROP, capability));
        }
        entries.add(clearAmbient());
        return entries;
    }

    public static Entry clearAmbient() {
        return prctl("clear the ambient capabilities", Prctl.PR_CAP_AMBIENT, Prctl.PR_CAP_AMBIENT_CLEAR_ALL);
    }

    /**
     * Keeps capabilities permitted, none effective or inheritable.
     *
     * @param permitted a bit for each that is kept
     */
    public static Entry disarmCapabilities(long permitted) {
        return capset("disarm the capabilities", permitted);
    }

    /** All gone at once: for a child that has another uid, which nobody but the JVM's own account can reach, or none to lose. */
    public static Entry dropCapabilities() {
        return capset("drop the capabilities", 0);
    }

    private static Entry capset(String what, long permitted) {
        long low = permitted & 0xffffffffL;
        long high = permitted >>> Integer.SIZE;
        // Effective, permitted, inheritable: for the low 32 capabilities, then for the high ones.
        Block data = Block.words("{permitted=0x" + Long.toHexString(permitted) + "}", low << Integer.SIZE, 0, high);
        Block header = Block.words("{version 3}", Capability.LINUX_CAPABILITY_VERSION_3);
        return Entry.Call.of(what, SyscallNumbers.CAPSET, Argument.at(header), Argument.at(data));
    }

    /** No set-user-id bit and no file capability raises what the child may do. */
    public static Entry noNewPrivileges() {
        return prctl("no new privileges", Prctl.PR_SET_NO_NEW_PRIVS, 1);
    }

    /**
     * Another identity without supplementary groups; the groups first, which take what the uid gives up. By the system calls themselves:
     * the C library's would change every thread.
     */
    public static List<Entry> become(long uid, long gid) {
        Argument user = Argument.of(uid);
        Argument group = Argument.of(gid);
        return List.of(
                Entry.Call.of("run_as: drop the groups", SyscallNumbers.SETGROUPS, Argument.of(0), Argument.of(0)),
                Entry.Call.of("run_as: set the group " + gid, SyscallNumbers.SETRESGID, group, group, group),
                Entry.Call.of("run_as: set the user " + uid, SyscallNumbers.SETRESUID, user, user, user));
    }

    private static Entry prctl(String what, int operation, long argument) {
        // The three behind must be zero for some operations.
        return Entry.Call.of(what, SyscallNumbers.PRCTL, Argument.of(operation), Argument.of(argument));
    }
}
