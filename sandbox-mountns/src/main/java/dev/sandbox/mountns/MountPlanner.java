package dev.sandbox.mountns;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.path.PathResolution;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.policy.UserNamespaces;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.resolve.RuleSource;
import dev.sandbox.linux.seccomp.FilterSettings;
import dev.sandbox.linux.seccomp.SyscallFilter;
import dev.sandbox.mountns.MountOperation.Bind;
import dev.sandbox.mountns.MountOperation.DirectoryPlaceholder;
import dev.sandbox.mountns.MountOperation.FilePlaceholder;
import dev.sandbox.mountns.MountOperation.KernelFileSystem;
import dev.sandbox.mountns.MountOperation.Mode;
import dev.sandbox.mountns.MountOperation.Origin;
import dev.sandbox.mountns.MountOperation.RootFileSystem;
import dev.sandbox.mountns.MountOperation.Seal;
import dev.sandbox.mountns.MountOperation.SymbolicLink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * From a resolved policy to the operations that build its file system. Pure but for its views of the host; the plan depends on
 * what they tell and on the policy, not on the order in which the policy was written. One use each.
 *
 * <p>Everything that is no grant lives in one tmpfs: the folders that lead to the grants, base_dir when it is not granted, the masks,
 * the private /tmp and /dev/shm, which are bound onto themselves so that the seal leaves them writable.
 */
public final class MountPlanner {
    /** The most that the private directories may hold. */
    static final long ROOT_BYTES = 512L * 1024 * 1024;

    private static final int ORDINARY = 0755;
    private static final int SHARED = 01777;
    private static final int NOBODY = 0;
    private static final AbsolutePath TMP = AbsolutePath.of("/tmp");
    private static final AbsolutePath SHM = AbsolutePath.of("/dev/shm");
    private static final AbsolutePath PTS = AbsolutePath.of("/dev/pts");
    private static final AbsolutePath PROC = AbsolutePath.of("/proc");
    private static final Map<String, String> DEVICE_LINKS = Map.of(
            "/dev/fd", "/proc/self/fd",
            "/dev/stdin", "/proc/self/fd/0",
            "/dev/stdout", "/proc/self/fd/1",
            "/dev/stderr", "/proc/self/fd/2",
            "/dev/ptmx", "pts/ptmx");

    private final ResolvedPolicy policy;
    private final FileSystemView files;
    private final Below below;
    private final EffectiveGrants grants;
    private final TreeMap<AbsolutePath, Bind> binds = new TreeMap<>();
    /** DENIED stands for a file that shows its name only. */
    private final TreeMap<AbsolutePath, EntryKind> placeholders = new TreeMap<>();

    private final Map<AbsolutePath, Integer> modes = new HashMap<>();
    private final TreeMap<AbsolutePath, String> links = new TreeMap<>();

    private MountPlanner(ResolvedPolicy policy, FileSystemView files, Below below) {
        this.policy = policy;
        this.files = files;
        this.below = below;
        this.grants = new EffectiveGrants(policy);
    }

    /**
     * Plans.
     *
     * @throws SandboxUnavailableException naming the rule that cannot be enforced by mounts
     */
    public static MountPlan plan(
            ResolvedPolicy policy, FileSystemView files, DirectoryNames directories, ClosedFolder closed, Below below) {
        return new MountPlanner(policy, files, below).plan(directories, closed);
    }

    private MountPlan plan(DirectoryNames directories, ClosedFolder closed) {
        addPrivateDirectories();
        Skeleton skeleton = new Skeleton(files, directories, grants);
        grants.all().forEach(rule -> addGrant(rule, skeleton));
        Masks masks = new Masks(files, binds, closed);
        policy.rules().stream().filter(rule -> rule.access().isBlock()).forEach(masks::add);
        addVisibleFolders();
        addLinks();
        return new MountPlan(operations(), masks.placeholders(), network(), policy.workDir(), filter(), policy.runAs());
    }

    private void addPrivateDirectories() {
        placeholders.put(PROC, EntryKind.DIRECTORY);
        placeholders.put(PTS, EntryKind.DIRECTORY);
        AbsolutePath tmp = PathResolution.follow(TMP, files).path();
        placeholders.put(tmp, EntryKind.DIRECTORY);
        if (policy.policy().tmp() == TmpMode.AUTO || policy.policy().tmp() == TmpMode.PRIVATE) {
            addPrivate(tmp);
        }
        addPrivate(SHM);
    }

    private void addPrivate(AbsolutePath path) {
        placeholders.put(path, EntryKind.DIRECTORY);
        modes.put(path, SHARED);
        binds.put(path, new Bind(path, Origin.SANDBOX, path, EntryKind.DIRECTORY, Mode.READ_WRITE));
    }

    private void addGrant(AccessRule rule, Skeleton skeleton) {
        if (rule.kind() == EntryKind.DEVICE && rule.access() != Access.DEVICE) {
            throw new SandboxUnavailableException(
                    rule.source().where(),
                    "\"" + rule.source().written() + "\" is a device node; mountns shows no devices but its own",
                    "remove it, or use another backend");
        }
        switch (rule.access()) {
            case READ -> bind(rule, Mode.READ_ONLY);
            case WRITE -> bind(rule, Mode.READ_WRITE);
            case DEVICE -> bind(rule, Mode.DEVICE);
            case LIST -> skeleton.add(rule, placeholders, links);
            case BLOCKED, BLOCKED_WRITE -> throw new IllegalStateException("a block is no grant");
        }
    }

    private void bind(AccessRule rule, Mode mode) {
        binds.put(rule.path(), Bind.ofHost(rule.path(), rule.kind(), mode));
    }

    /** Where there is no grant, base_dir and work_dir are empty read-only folders, so that the step has somewhere to stand. */
    private void addVisibleFolders() {
        for (AbsolutePath folder : List.of(policy.baseDir(), policy.workDir())) {
            if (!isShownByHost(folder) && !binds.containsKey(folder) && !PROC.contains(folder)) {
                placeholders.put(folder, EntryKind.DIRECTORY);
                sealInPrivate(folder);
            }
        }
        for (Bind bind : binds.values()) {
            addMaskSource(bind);
            if (!isShownByHost(bind.target())) {
                placeholders.put(bind.target(), bind.kind() == EntryKind.DIRECTORY ? bind.kind() : EntryKind.FILE);
            }
        }
        for (AbsolutePath path : List.copyOf(placeholders.keySet())) {
            addParents(path);
        }
        placeholders.keySet().removeIf(this::isShownByHost);
    }

    private void addMaskSource(Bind bind) {
        if (bind.source().equals(Masks.HIDDEN_DIRECTORY)) {
            placeholders.put(Masks.HIDDEN_DIRECTORY, EntryKind.DIRECTORY);
            modes.put(Masks.HIDDEN_DIRECTORY, NOBODY);
        } else if (bind.source().equals(Masks.HIDDEN_FILE)) {
            placeholders.put(Masks.HIDDEN_FILE, EntryKind.DENIED);
        }
    }

    private void addParents(AbsolutePath path) {
        path.ancestors().stream()
                .filter(folder -> !folder.equals(AbsolutePath.ROOT))
                .forEach(folder -> placeholders.put(folder, EntryKind.DIRECTORY));
    }

    /** A private directory is writable, and its folders with it. */
    private void sealInPrivate(AbsolutePath folder) {
        if (EffectiveGrants.above(binds, folder).isPresent()) {
            binds.put(folder, new Bind(folder, Origin.SANDBOX, folder, EntryKind.DIRECTORY, Mode.READ_ONLY));
        }
    }

    /** Whether the path is found in something bound from the host around it. */
    private boolean isShownByHost(AbsolutePath path) {
        return EffectiveGrants.above(binds, path)
                .filter(outer -> outer.origin() == Origin.HOST || Masks.isMask(outer))
                .isPresent();
    }

    private void addLinks() {
        AbsolutePath base = policy.policy().baseDir();
        policy.grants().forEach(rule -> written(rule.source(), base).ifPresent(path -> collect(path)));
        policy.names().keySet().forEach(this::collect);
        collect(base);
        collect(TMP); // a link on some systems
        written(new RuleSource("work_dir", -1, policy.policy().workDir()), base).ifPresent(this::collect);
        DEVICE_LINKS.forEach((path, text) -> links.put(AbsolutePath.of(path), text));
        links.keySet().removeIf(this::isTaken);
        links.keySet().forEach(this::addParents);
    }

    /** They are made again inside, so that a command finds {@code /bin/sh} and its own spelling of a granted path. */
    private void collect(AbsolutePath path) {
        PathResolution.follow(path, files).links().forEach(link -> links.put(link.link(), link.target()));
    }

    private boolean isTaken(AbsolutePath path) {
        return placeholders.containsKey(path)
                || isShownByHost(path)
                || binds.containsKey(path)
                || PROC.contains(path)
                || path.ancestors().stream().anyMatch(links::containsKey);
    }

    private static Optional<AbsolutePath> written(RuleSource source, AbsolutePath base) {
        try {
            return Optional.of(base.resolve(source.written()));
        } catch (IllegalArgumentException notAPath) {
            // "host", "all", "TMPDIR": what the sandbox adds by itself is not always written as a path.
            return Optional.empty();
        }
    }

    private List<MountOperation> operations() {
        List<MountOperation> operations = new ArrayList<>();
        operations.add(new RootFileSystem(ROOT_BYTES));
        placeholders.forEach((path, kind) -> operations.add(
                kind == EntryKind.DIRECTORY
                        ? new DirectoryPlaceholder(path, modes.getOrDefault(path, ORDINARY))
                        : new FilePlaceholder(path, kind == EntryKind.DENIED ? NOBODY : ORDINARY)));
        links.forEach((path, text) -> operations.add(new SymbolicLink(path, text)));
        operations.addAll(binds.values());
        operations.add(new KernelFileSystem(KernelFileSystem.Type.DEVPTS, PTS));
        operations.add(new KernelFileSystem(KernelFileSystem.Type.PROC, PROC));
        operations.add(new Seal());
        return operations;
    }

    /**
     * The namespace closes the network; with the host's, its abstract unix sockets come along unless the filter takes them all. It takes
     * them, too, where a descriptor that is handed on would lift a block.
     */
    private SyscallFilter filter() {
        UserNamespaces namespaces = policy.policy().userNamespaces();
        boolean unguarded =
                below == Below.NOTHING && policy.effectiveBlocks().findAny().isPresent();
        if (unguarded && namespaces == UserNamespaces.ALLOW) {
            throw new SandboxUnavailableException(
                    "user_namespaces",
                    "blocks cannot be held: this kernel has no Landlock, and a step in namespaces of its own takes its mounts off",
                    "remove user_namespaces: allow, or boot with landlock in the kernel's lsm= list");
        }
        boolean scoped =
                policy.policy().require().contains(Guarantee.UNIX_SCOPE) && network() == MountPlan.Network.SHARED;
        return new SyscallFilter(new FilterSettings(
                FilterSettings.Network.OPEN,
                scoped || unguarded ? FilterSettings.UnixSockets.PAIRS : FilterSettings.UnixSockets.OPEN,
                namespaces));
    }

    private MountPlan.Network network() {
        NetworkPolicy.Mode mode = policy.policy().network().mode();
        return switch (mode) {
            case ALLOW -> MountPlan.Network.SHARED;
            case NONE -> MountPlan.Network.NONE;
            case TCP, DOMAINS ->
                throw new SandboxUnavailableException(
                        "network", "mountns can share the network or take it away, not filter it", "use landlock");
        };
    }
}
