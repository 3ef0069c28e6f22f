package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.linux.spawn.Argument;
import dev.sandbox.linux.spawn.DescriptorCalls;
import dev.sandbox.linux.spawn.Entry;
import dev.sandbox.linux.spawn.FileCalls;
import dev.sandbox.linux.spawn.MountCalls;
import dev.sandbox.linux.spawn.Slot;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Mount;
import dev.sandbox.mountns.MountOperation.Bind;
import dev.sandbox.mountns.MountOperation.DirectoryPlaceholder;
import dev.sandbox.mountns.MountOperation.FilePlaceholder;
import dev.sandbox.mountns.MountOperation.KernelFileSystem;
import dev.sandbox.mountns.MountOperation.SymbolicLink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * From a plan to the entries that build its file system. Pure. They are made in a stage, a small tmpfs that shows the host at
 * {@link #HOST} and the new root at {@link #ROOT}, so that no place of the host is covered while its paths are looked up.
 *
 * <p>Each source from the host is opened without following a link and compared with the file that this process holds open: a step that
 * runs under the same grants cannot lead a mount astray.
 */
final class MountProgram {
    /** Where the stage shows the host. */
    static final String HOST = "/old";
    /** Where it has the new root. */
    static final String ROOT = "/new";
    /** Where it has what lasts as long as the session: a folder for each private directory, by its number. */
    static final String KEPT = "/keep";

    private final MountPlan plan;
    private final HostSources sources;
    private final Slot root = Slot.named("root");
    private final Slot host = Slot.named("host");
    private final List<Entry> entries = new ArrayList<>();
    /** Made when the private directory is there that they lie in. */
    private final List<MountOperation> later = new ArrayList<>();

    private MountProgram(MountPlan plan, HostSources sources) {
        this.plan = plan;
        this.sources = sources;
    }

    /** All of it but for {@code /proc}, which only a process of the new PID namespace can mount, and for the seal. */
    static List<Entry> of(MountPlan plan, HostSources sources) {
        return new MountProgram(plan, sources).build();
    }

    /** The plan's private directories, in the order of their numbers. */
    static List<AbsolutePath> privateDirectories(MountPlan plan) {
        return plan.binds().filter(Bind::isPrivateDirectory).map(Bind::target).toList();
    }

    private List<Entry> build() {
        Slot umask = Slot.named("umask");
        entries.add(FileCalls.clearUmask(umask));
        entries.add(MountCalls.mount(
                "make the new root", "tmpfs", ROOT, Mount.MS_NOSUID | Mount.MS_NODEV, "mode=0755,size=64m"));
        int directory = Fcntl.O_PATH | Fcntl.O_DIRECTORY;
        entries.add(FileCalls.open(root, "the new root", FileCalls.HERE, ROOT, directory));
        entries.add(FileCalls.open(host, "the host's root", FileCalls.HERE, HOST, directory));
        plan.operations().forEach(this::add);
        entries.add(DescriptorCalls.close(host));
        entries.add(DescriptorCalls.close(root));
        entries.add(FileCalls.restoreUmask(umask));
        return entries;
    }

    private void add(MountOperation operation) {
        if (isPlaceholder(operation) && isInPrivate(operation.target())) {
            later.add(operation);
        } else {
            make(operation);
        }
    }

    private static boolean isPlaceholder(MountOperation operation) {
        return operation instanceof DirectoryPlaceholder
                || operation instanceof FilePlaceholder
                || operation instanceof SymbolicLink;
    }

    private boolean isInPrivate(AbsolutePath path) {
        return privateDirectories(plan).stream().anyMatch(directory -> directory.strictlyContains(path));
    }

    private void make(MountOperation operation) {
        String name = operation.line();
        if (isPlaceholder(operation)) {
            place(operation, Argument.in(root), relative(operation.target()));
        } else if (operation instanceof Bind bind) {
            bind(bind);
        } else if (operation instanceof KernelFileSystem kernel && kernel.type() == KernelFileSystem.Type.DEVPTS) {
            // By an absolute path: nothing above it belongs to a step.
            entries.add(MountCalls.mount(
                    name,
                    "devpts",
                    ROOT + kernel.target(),
                    Mount.MS_NOSUID | Mount.MS_NOEXEC,
                    "newinstance,ptmxmode=0666,mode=0620"));
        }
    }

    private void place(MountOperation operation, Argument from, String path) {
        String name = operation.line();
        if (operation instanceof DirectoryPlaceholder directory) {
            entries.add(FileCalls.directory(name, from, path, directory.mode()));
        } else if (operation instanceof FilePlaceholder file) {
            entries.addAll(FileCalls.file(name, from, path, file.mode()));
        } else if (operation instanceof SymbolicLink link) {
            entries.add(FileCalls.link(name, from, path, link.text()));
        }
    }

    /**
     * In a private directory, what lies above may be a link by now, which an earlier step of the session has put there: one that leads
     * to the host. So the folder is opened without following a link, and the placeholder is made in that folder.
     */
    private void placeInPrivate(MountOperation operation) {
        Slot above = Slot.named("above");
        AbsolutePath target = operation.target();
        AbsolutePath folder = target.parent().orElseThrow();
        entries.add(FileCalls.openWithoutLinks(
                above, "the folder " + folder + " of the session", Argument.in(root), relative(folder)));
        place(operation, Argument.in(above), target.name());
        entries.add(DescriptorCalls.close(above));
    }

    private void bind(Bind bind) {
        String name = bind.line();
        Slot source = Slot.named("source");
        Slot tree = Slot.named("tree");
        Slot target = Slot.named("target");
        String what = bind.source().toString();
        if (bind.origin() == MountOperation.Origin.HOST) {
            HostSources.Source known = sources.get(bind.source());
            entries.add(FileCalls.openWithoutLinks(source, what, Argument.in(host), orHere(relative(bind.source()))));
            entries.addAll(FileCalls.mustBe(source, what, known.inode(), known.device()));
        } else if (bind.isPrivateDirectory()) {
            int number = privateDirectories(plan).indexOf(bind.target());
            entries.add(FileCalls.openWithoutLinks(source, what, FileCalls.HERE, KEPT + "/" + number));
        } else {
            entries.add(FileCalls.openWithoutLinks(source, what, Argument.in(root), relative(bind.source())));
        }
        entries.add(MountCalls.copyTree(tree, name, source));
        entries.add(MountCalls.restrict(name, tree, attributes(bind.mode())));
        entries.add(FileCalls.openWithoutLinks(
                target, "the place of " + bind.target(), Argument.in(root), relative(bind.target())));
        entries.add(MountCalls.attach(name, tree, target));
        entries.add(DescriptorCalls.close(target));
        entries.add(DescriptorCalls.close(tree));
        entries.add(DescriptorCalls.close(source));
        if (bind.isPrivateDirectory()) {
            later.stream()
                    .filter(operation -> bind.target().strictlyContains(operation.target()))
                    .toList()
                    .forEach(this::placeInPrivate);
        }
    }

    private static long attributes(MountOperation.Mode mode) {
        return switch (mode) {
            case READ_ONLY -> Mount.MOUNT_ATTR_RDONLY | Mount.MOUNT_ATTR_NOSUID | Mount.MOUNT_ATTR_NODEV;
            case READ_WRITE -> Mount.MOUNT_ATTR_NOSUID | Mount.MOUNT_ATTR_NODEV;
            case DEVICE -> Mount.MOUNT_ATTR_NOSUID | Mount.MOUNT_ATTR_NOEXEC;
        };
    }

    private static String relative(AbsolutePath path) {
        return AbsolutePath.ROOT.relativize(path);
    }

    private static String orHere(String path) {
        return path.isEmpty() ? "." : path;
    }

    /** What each of the plan's binds needs of the host, sorted. */
    static Map<AbsolutePath, EntryKind> sources(MountPlan plan) {
        TreeMap<AbsolutePath, EntryKind> sources = new TreeMap<>();
        plan.binds()
                .filter(bind -> bind.origin() == MountOperation.Origin.HOST)
                .forEach(bind -> sources.put(bind.source(), bind.kind()));
        return sources;
    }
}
