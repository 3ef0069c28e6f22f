package dev.sandbox.linux.spawn;

import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Mount;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.List;

/**
 * Entries about mounts. Descriptors of the JVM's own mount namespace are EINVAL for the kernel, as sources and as targets, so the child
 * opens both itself.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/mount_setattr.2.html">mount_setattr(2)</a>
 */
public final class MountCalls {
    private static final Argument EMPTY = Argument.at(Block.text(""));
    private static final int ATTRIBUTES_SIZE = 32;

    private MountCalls() {}

    /** Nothing that is mounted here is seen elsewhere; what the host mounts later is seen here where the host shares its mounts. */
    public static Entry makeSlave() {
        return propagation("keep mounts to itself", Mount.MS_REC | Mount.MS_SLAVE);
    }

    /** Nothing goes either way. */
    public static Entry makePrivate() {
        return propagation("make every mount private", Mount.MS_REC | Mount.MS_PRIVATE);
    }

    private static Entry propagation(String what, long flags) {
        return Entry.Call.of(
                what,
                SyscallNumbers.MOUNT,
                Argument.of(0),
                Argument.text("/"),
                Argument.of(0),
                Argument.of(flags),
                Argument.of(0));
    }

    /** mount(2) of a file system that has no source. */
    public static Entry mount(String what, String type, String target, long flags, String options) {
        Argument name = Argument.text(type);
        return Entry.Call.of(
                what,
                SyscallNumbers.MOUNT,
                name,
                Argument.text(target),
                name,
                Argument.of(flags),
                options.isEmpty() ? Argument.of(0) : Argument.text(options));
    }

    /** A detached copy of what a descriptor names, with everything mounted below it: without that, mounts below are EINVAL. */
    public static Entry copyTree(Slot into, String what, Slot source) {
        return Entry.Call.of(
                        what,
                        SyscallNumbers.OPEN_TREE,
                        Argument.in(source),
                        EMPTY,
                        Argument.of(Mount.OPEN_TREE_CLONE
                                | Mount.OPEN_TREE_CLOEXEC
                                | Fcntl.AT_EMPTY_PATH
                                | Mount.AT_RECURSIVE))
                .into(into);
    }

    /** Adds attributes to a whole tree, before anybody can see it. Locked ones are never taken away, and atime is not touched. */
    public static Entry restrict(String what, Slot tree, long attributes) {
        return attributes(what, Argument.in(tree), Fcntl.AT_EMPTY_PATH | Mount.AT_RECURSIVE, EMPTY, attributes);
    }

    /** Makes one mount read-only, what lies on it not. */
    public static Entry seal(String what, String path) {
        return attributes(what, FileCalls.HERE, 0, Argument.text(path), Mount.MOUNT_ATTR_RDONLY);
    }

    private static Entry attributes(String what, Argument from, long flags, Argument path, long attributes) {
        Block set = Block.words("{set=" + attributes + "}", attributes, 0, 0, 0);
        return Entry.Call.of(
                what,
                SyscallNumbers.MOUNT_SETATTR,
                from,
                path,
                Argument.of(flags),
                Argument.at(set),
                Argument.of(ATTRIBUTES_SIZE));
    }

    /** Attaches a detached tree where a descriptor stands. */
    public static Entry attach(String what, Slot tree, Slot target) {
        return Entry.Call.of(
                what,
                SyscallNumbers.MOVE_MOUNT,
                Argument.in(tree),
                EMPTY,
                Argument.in(target),
                EMPTY,
                Argument.of(Mount.MOVE_MOUNT_F_EMPTY_PATH | Mount.MOVE_MOUNT_T_EMPTY_PATH));
    }

    /** Makes a directory, which is a mount point, the root, and shows the old one in it. */
    public static List<Entry> changeRoot(String newRoot, String oldRoot) {
        return List.of(
                Entry.Call.of(
                        "change the root", SyscallNumbers.PIVOT_ROOT, Argument.text(newRoot), Argument.text(oldRoot)),
                FileCalls.enter("/"));
    }

    /** Makes a directory, which is a mount point, the root, and lets go of the old one. */
    public static List<Entry> leaveFor(String newRoot) {
        Argument here = Argument.text(".");
        return List.of(
                FileCalls.enter(newRoot),
                Entry.Call.of("leave the host's file system", SyscallNumbers.PIVOT_ROOT, here, here),
                Entry.Call.of(
                        "leave the host's file system", SyscallNumbers.UMOUNT2, here, Argument.of(Mount.MNT_DETACH)),
                FileCalls.enter("/"));
    }
}
