package dev.sandbox.docker;

import dev.sandbox.docker.ContainerMount.Kind;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.resolve.RuleSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * From a resolved policy to a container. The baseline is not bound: the image brings its own system. Grants are bound, blocks
 * laid over them, parents before children, and every folder between a writable bind and a block is bound onto itself: otherwise a
 * step would rename it, and the next run would find the blocked file under a name that nobody blocked.
 *
 * <p>A grant that was written as, or through, a symbolic link is bound under that name as well, with the same blocks over it: the link
 * itself is not there unless the folder around it is granted.
 *
 * <p>A block on a path that does not exist is held by a placeholder inside a writable bind; inside a read-only one the step
 * cannot create it, and what somebody else creates there during the run is seen. Pure.
 */
public final class ContainerPlanner {
    /** Bounds a fork bomb when the policy does not; the kernel's own limit is the whole machine's. */
    static final long DEFAULT_PIDS = 4096;

    /** The init process and the keeper. */
    static final long OWN_PIDS = 2;

    private static final AbsolutePath TMP = AbsolutePath.of("/tmp");
    private static final AbsolutePath PROC = AbsolutePath.of("/proc");

    private final ResolvedPolicy policy;
    private final ContainerSettings settings;
    private final MountTree mounts = new MountTree();
    private final TreeSet<AbsolutePath> placeholders = new TreeSet<>();

    private ContainerPlanner(ResolvedPolicy policy, ContainerSettings settings) {
        this.policy = policy;
        this.settings = settings;
    }

    /**
     * Plans a container.
     *
     * @throws PolicyInvalidException when a grant hands over the engine's socket
     * @throws SandboxUnavailableException when the policy asks for what a container cannot enforce
     */
    public static ContainerSpec plan(SessionRequest request, ContainerSettings settings) {
        ContainerPlanner planner = new ContainerPlanner(request.policy(), settings);
        planner.mountAll();
        return planner.spec(request);
    }

    private void mountAll() {
        tmp();
        own().filter(rule -> !rule.access().isBlock()).forEach(this::grant);
        policy.rules().stream().filter(rule -> rule.access().isBlock()).forEach(this::block);
        workDir();
        reachIntoHostMounts();
        refuseTheEnginesSocket();
        policy.names().forEach(mounts::name);
    }

    private Stream<AccessRule> own() {
        return policy.rules().stream()
                .filter(rule -> !rule.source().key().equals(RuleSource.BASELINE))
                .filter(rule -> !PROC.contains(rule.path()));
    }

    private void tmp() {
        TmpMode mode = policy.policy().tmp();
        if (mode == TmpMode.AUTO || mode == TmpMode.PRIVATE) {
            mounts.put(TMP, Kind.SCRATCH);
        }
    }

    private void grant(AccessRule rule) {
        if (isTaken(rule.path(), Access.BLOCKED) || mounts.shows(rule.path(), Kind.BIND)) {
            return;
        }
        switch (rule.access()) {
            case WRITE, DEVICE ->
                mounts.put(rule.path(), isTaken(rule.path(), Access.BLOCKED_WRITE) ? Kind.BIND_READ_ONLY : Kind.BIND);
            case READ -> {
                if (!mounts.showsHost(rule.path())) {
                    mounts.put(rule.path(), Kind.BIND_READ_ONLY);
                }
            }
            case LIST -> refuseList(rule);
            case BLOCKED, BLOCKED_WRITE -> throw new IllegalArgumentException(rule + " gives nothing");
        }
    }

    private boolean isTaken(AbsolutePath path, Access by) {
        return policy.rules().stream().anyMatch(rule -> rule.access() == by && rule.covers(path));
    }

    /** A mount shows names and contents or neither. */
    private void refuseList(AccessRule rule) {
        if (!mounts.showsHost(rule.path())) {
            throw new SandboxUnavailableException(
                    "docker",
                    rule.source() + " asks for names without contents, which a container cannot give",
                    "use the backend landlock, or read_paths");
        }
    }

    private void block(AccessRule rule) {
        boolean writable = mounts.shows(rule.path(), Kind.BIND);
        boolean missing =
                rule.kind() == EntryKind.MISSING || settings.standing().contains(rule.path());
        boolean visible = mounts.showsHost(rule.path()) || isOfTheSystem(rule.path());
        boolean concerned = rule.access() == Access.BLOCKED ? visible : writable;
        if (!concerned || (missing && !writable)) {
            return;
        }
        AbsolutePath closed = missing ? settings.closed().get(rule.path()) : null;
        if (closed != null) {
            pinClosed(closed);
            return;
        }
        if (writable) {
            pinFoldersAbove(rule.path());
        }
        if (missing) {
            placeholders.add(rule.path());
        }
        mounts.put(rule.path(), cover(rule, missing));
    }

    /** A placeholder is a file. */
    private static Kind cover(AccessRule rule, boolean missing) {
        if (rule.access() == Access.BLOCKED_WRITE) {
            return Kind.BIND_READ_ONLY;
        }
        return rule.kind() == EntryKind.DIRECTORY && !missing ? Kind.MASK_DIRECTORY : Kind.MASK_FILE;
    }

    /** Visible as the image's: not under a mask, not under /tmp. */
    private boolean isOfTheSystem(AbsolutePath path) {
        return mounts.around(path).isEmpty()
                && policy.rules().stream()
                        .filter(rule -> rule.source().key().equals(RuleSource.BASELINE))
                        .anyMatch(rule -> rule.covers(path));
    }

    /** The step can make nothing in it, but could move it away and make another. */
    private void pinClosed(AbsolutePath folder) {
        pinFoldersAbove(folder);
        if (settings.readOnly().contains(folder)) {
            mounts.put(folder, Kind.BIND_READ_ONLY);
        } else {
            mounts.putIfAbsent(folder, Kind.BIND);
        }
    }

    private void pinFoldersAbove(AbsolutePath path) {
        mounts.around(path)
                .ifPresent(root -> path.ancestors().stream()
                        .filter(root.target()::strictlyContains)
                        .forEach(folder -> mounts.put(folder, Kind.BIND)));
    }

    private void workDir() {
        AbsolutePath path = policy.workDir();
        boolean stands = mounts.showsHost(path) || path.equals(TMP) || path.equals(AbsolutePath.ROOT);
        if (!stands && !isOfTheSystem(path)) {
            mounts.putIfAbsent(path, Kind.EMPTY_DIRECTORY);
        }
    }

    /** A read-only bind of a directory leaves what is mounted below it as it is: writable. */
    private void reachIntoHostMounts() {
        for (AbsolutePath point : settings.hostMounts()) {
            if (mounts.shows(point, Kind.BIND_READ_ONLY)) {
                mounts.put(point, Kind.BIND_READ_ONLY);
            }
        }
    }

    /** Resolution refuses the usual ones; this engine's may lie anywhere. */
    private void refuseTheEnginesSocket() {
        Optional<AbsolutePath> shown = settings.engineSocket().filter(mounts::showsHost);
        shown.filter(socket -> !policy.allowedSockets().contains(socket)).ifPresent(socket -> {
            throw new PolicyInvalidException(List.of(new Problem(
                    mounts.around(socket).orElseThrow().target().toString(),
                    "hands over the engine's socket " + socket + ", and with it the host",
                    "grant less, add " + socket + " to blocked_paths, or name it in allow_sockets")));
        });
    }

    private ContainerSpec spec(SessionRequest request) {
        Limits limits = policy.policy().limits();
        return ContainerSpec.builder()
                .image(settings.image())
                .user(settings.user())
                .workDir(policy.workDir())
                .addAllMounts(mounts.all())
                .addAllPlaceholders(placeholders)
                .network(network(policy.policy().network()))
                .pids(limits.processes().orElse(DEFAULT_PIDS) + OWN_PIDS)
                .memory(limits.memory())
                .fileSize(limits.fileSize())
                .openFiles(limits.openFiles())
                .cpuSeconds(cpuSeconds(limits))
                .addAllVariables(request.environment().variables().keySet())
                .build();
    }

    private static OptionalLong cpuSeconds(Limits limits) {
        return limits.cpuTime()
                .map(time -> OptionalLong.of(time.plusMillis(999).toSeconds()))
                .orElseGet(OptionalLong::empty);
    }

    private ContainerNetwork network(NetworkPolicy network) {
        return switch (network.mode()) {
            case ALLOW -> settings.open();
            case NONE -> ContainerNetwork.NONE;
            case TCP, DOMAINS ->
                throw new SandboxUnavailableException(
                        "docker", "a container's network is all or nothing here", "network: none, or allow");
        };
    }
}
