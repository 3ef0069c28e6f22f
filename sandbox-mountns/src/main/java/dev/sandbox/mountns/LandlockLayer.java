package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.linux.landlock.FsRight;
import dev.sandbox.linux.landlock.GrantRights;
import dev.sandbox.linux.landlock.LandlockAbi;
import dev.sandbox.linux.landlock.LandlockStructs;
import dev.sandbox.linux.landlock.Scope;
import dev.sandbox.linux.spawn.Entry;
import dev.sandbox.linux.spawn.FileCalls;
import dev.sandbox.linux.spawn.LandlockCalls;
import dev.sandbox.linux.spawn.Slot;
import dev.sandbox.mountns.MountOperation.Bind;
import dev.sandbox.mountns.MountOperation.Mode;
import dev.sandbox.mountns.MountOperation.Origin;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The ruleset that lies under a step's own mounts, with the same grants. A mask is a mount point, and busy only in its own mount
 * namespace: a process elsewhere that was handed a descriptor of the folder could rename it away. Landlock in that process's domain
 * refuses that, and mounts in namespaces of its own. It also scopes signals and abstract unix sockets. Pure.
 */
final class LandlockLayer {
    private LandlockLayer() {}

    /** What is allowed beneath which path of the new root, sorted. */
    static Map<AbsolutePath, Set<FsRight>> rules(MountPlan plan, LandlockAbi abi) {
        TreeMap<AbsolutePath, Set<FsRight>> rules = new TreeMap<>();
        // The names in the new root are no secret: what is not granted is not there.
        rules.put(AbsolutePath.ROOT, Set.of(FsRight.READ_DIR));
        plan.binds().forEach(bind -> add(bind, abi, rules));
        EnumSet<FsRight> proc = EnumSet.copyOf(GrantRights.of(Access.READ, EntryKind.DIRECTORY, abi));
        // A step writes to its own files there, by the shell's > too, which truncates.
        proc.add(FsRight.WRITE_FILE);
        proc.add(FsRight.TRUNCATE);
        proc.retainAll(FsRight.of(abi));
        rules.put(AbsolutePath.of("/proc"), proc);
        EnumSet<FsRight> terminals = EnumSet.of(FsRight.READ_DIR);
        terminals.addAll(GrantRights.of(Access.DEVICE, EntryKind.DEVICE, abi));
        rules.put(AbsolutePath.of("/dev/pts"), terminals);
        return rules;
    }

    private static void add(Bind bind, LandlockAbi abi, Map<AbsolutePath, Set<FsRight>> rules) {
        if (bind.origin() == Origin.HOST || bind.isPrivateDirectory()) {
            Set<FsRight> rights = GrantRights.of(access(bind.mode()), bind.kind(), abi);
            if (!rights.isEmpty()) {
                rules.put(bind.target(), rights);
            }
        }
    }

    private static Access access(Mode mode) {
        return switch (mode) {
            case READ_ONLY -> Access.READ;
            case READ_WRITE -> Access.WRITE;
            case DEVICE -> Access.DEVICE;
        };
    }

    /** The entries that make the ruleset, once the new root is the root. */
    static List<Entry> entries(MountPlan plan, LandlockAbi abi, Slot ruleset) {
        List<Entry> entries = new ArrayList<>();
        entries.add(LandlockCalls.create(
                ruleset,
                LandlockStructs.rulesetSize(abi),
                FsRight.bits(FsRight.of(abi)),
                0,
                Scope.bits(Scope.of(abi))));
        rules(plan, abi)
                .forEach((path, rights) -> entries.addAll(LandlockCalls.allow(
                        ruleset, FileCalls.HERE, path.toString(), path.toString(), FsRight.bits(rights))));
        return entries;
    }
}
