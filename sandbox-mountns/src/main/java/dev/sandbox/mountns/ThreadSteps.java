package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.linux.ConfinementStep;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.uapi.Sched;
import dev.sandbox.mountns.MountOperation.Bind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/** What the confined thread does, as steps of which each is named so that its failure says which mount it was. */
final class ThreadSteps {
    private final NamespaceCalls calls;
    private final List<ConfinementStep> steps = new ArrayList<>();

    ThreadSteps(NamespaceCalls calls) {
        this.calls = calls;
    }

    /**
     * Makes a mount namespace, keeps it open and carries the plan out in it.
     *
     * @param kept what to show in place of new private directories
     */
    List<ConfinementStep> build(MountPlan plan, Map<AbsolutePath, FileDescriptor> kept) {
        add("unshare the mount namespace", () -> calls.unshare(Sched.CLONE_NEWNS));
        add("keep the mount namespace", calls::keep);
        add("make every mount private", calls::makePrivate);
        plan.operations().forEach(operation -> add(operation, kept));
        return steps;
    }

    /** Opens the private directories of a root that was built. */
    List<ConfinementStep> open(int built, Map<AbsolutePath, int[]> directories) {
        add("enter the mount namespace", () -> calls.enter(built));
        directories.forEach((directory, opened) -> {
            long place = calls.string(directory.toString());
            add("keep " + directory, () -> calls.open(place, opened));
        });
        return steps;
    }

    /** Puts the thread into namespaces of a step's own, the mounts copied from those that were built. */
    List<ConfinementStep> enter(int built, MountPlan.Network network) {
        add("enter the mount namespace", () -> calls.enter(built));
        boolean alone = network == MountPlan.Network.NONE;
        int namespaces = Sched.CLONE_NEWNS | Sched.CLONE_NEWPID | Sched.CLONE_NEWIPC | Sched.CLONE_NEWUTS;
        int flags = alone ? namespaces | Sched.CLONE_NEWNET : namespaces;
        add("unshare the namespaces", () -> calls.unshare(flags));
        if (alone) {
            add("bring up the loopback", calls::loopbackUp);
        }
        long name = calls.string(MountPlan.HOST_NAME);
        int length = MountPlan.HOST_NAME.getBytes(StandardCharsets.UTF_8).length;
        add("set the hostname", () -> calls.hostName(name, length));
        return steps;
    }

    private void add(String name, IntSupplier call) {
        steps.add(new SyscallStep(name, call));
    }

    private void add(MountOperation operation, Map<AbsolutePath, FileDescriptor> kept) {
        String name = operation.line();
        long target = calls.string(relative(operation.target()));
        if (operation instanceof MountOperation.RootFileSystem root) {
            long options = calls.string("mode=0755,size=" + root.bytes());
            add(name, () -> calls.stage(options));
        } else if (operation instanceof MountOperation.DirectoryPlaceholder directory) {
            int mode = directory.mode();
            add(name, () -> calls.newRoot().directory(target, mode));
        } else if (operation instanceof MountOperation.FilePlaceholder file) {
            int mode = file.mode();
            add(name, () -> calls.newRoot().file(target, mode));
        } else if (operation instanceof MountOperation.SymbolicLink link) {
            long text = calls.string(link.text());
            add(name, () -> calls.newRoot().link(target, text));
        } else if (operation instanceof Bind bind) {
            FileDescriptor opened = kept.get(bind.target());
            if (bind.isPrivateDirectory() && opened != null) {
                add(bind.line(), () -> calls.attachOpened(opened.number(), target));
            } else {
                bind(bind, target);
            }
        } else if (operation instanceof MountOperation.KernelFileSystem kernel) {
            kernel(kernel);
        } else if (operation instanceof MountOperation.Seal) {
            add("leave the host's file system", calls::leaveHost);
            add(name, calls::seal);
        }
    }

    private void bind(Bind bind, long target) {
        long source = calls.string(relative(bind.source()));
        long attributes = calls.attributes(attributes(bind.mode()));
        if (bind.origin() == MountOperation.Origin.HOST) {
            add(bind.line(), () -> calls.bindHost(source, target, attributes));
        } else {
            add(bind.line(), () -> calls.bindOwn(source, target, attributes));
        }
    }

    private void kernel(MountOperation.KernelFileSystem kernel) {
        switch (kernel.type()) {
            case DEVPTS -> {
                long target = calls.string("/new" + kernel.target());
                add(kernel.line(), () -> calls.devpts(target));
            }
            // When there is a process in the namespace.
            case PROC -> {}
        }
    }

    private static long attributes(MountOperation.Mode mode) {
        return switch (mode) {
            case READ_ONLY -> MountApi.MOUNT_ATTR_RDONLY | MountApi.MOUNT_ATTR_NOSUID | MountApi.MOUNT_ATTR_NODEV;
            case READ_WRITE -> MountApi.MOUNT_ATTR_NOSUID | MountApi.MOUNT_ATTR_NODEV;
            case DEVICE -> MountApi.MOUNT_ATTR_NOSUID | MountApi.MOUNT_ATTR_NOEXEC;
        };
    }

    private static String relative(AbsolutePath path) {
        return AbsolutePath.ROOT.relativize(path);
    }
}
