package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What of the grants is left to mount: those that no block takes and no grant around them gives already. Grants add up, so a read
 * grant inside a write grant takes nothing away and needs no mount.
 */
final class EffectiveGrants {
    private static final AbsolutePath PROC = AbsolutePath.of("/proc");

    private final TreeMap<AbsolutePath, AccessRule> grants = new TreeMap<>();
    private final TreeSet<AbsolutePath> blocked = new TreeSet<>();
    private final TreeSet<AbsolutePath> blockedWrite = new TreeSet<>();

    EffectiveGrants(ResolvedPolicy policy) {
        policy.rules().stream()
                .filter(rule -> rule.access().isBlock())
                .forEach(rule -> (rule.access() == Access.BLOCKED ? blocked : blockedWrite).add(rule.path()));
        // Sorted: a parent is there before its children are looked at, the stronger of two for one path replaces the
        // weaker.
        policy.grants().forEach(this::consider);
    }

    private void consider(AccessRule rule) {
        AbsolutePath path = rule.path();
        // The private /proc shows all of it.
        if (PROC.contains(path) || rule.kind() == EntryKind.MISSING || anyAtOrAbove(blocked, path)) {
            return;
        }
        boolean demoted = rule.access() == Access.WRITE && anyAtOrAbove(blockedWrite, path);
        AccessRule kept = demoted ? new AccessRule(path, rule.kind(), Access.READ, rule.source()) : rule;
        AccessRule same = grants.get(path);
        if (same != null && strength(same.access()) >= strength(kept.access())) {
            return;
        }
        boolean given = around(path)
                .filter(outer -> strength(outer.access()) >= strength(kept.access()))
                .isPresent();
        if (!given) {
            grants.put(path, kept);
        }
    }

    private static int strength(Access access) {
        return switch (access) {
            case LIST -> 1;
            case READ -> 2;
            case WRITE -> 3;
            case DEVICE -> 4;
            case BLOCKED, BLOCKED_WRITE -> 0;
        };
    }

    /** The innermost directory grant strictly above a path. */
    Optional<AccessRule> around(AbsolutePath path) {
        return above(grants, path).filter(rule -> rule.kind() == EntryKind.DIRECTORY);
    }

    Collection<AccessRule> all() {
        return grants.values();
    }

    boolean isBlocked(AbsolutePath path) {
        return anyAtOrAbove(blocked, path);
    }

    /** The value of the innermost key strictly above a path. */
    static <T> Optional<T> above(Map<AbsolutePath, T> map, AbsolutePath path) {
        for (Optional<AbsolutePath> at = path.parent();
                at.isPresent();
                at = at.get().parent()) {
            T value = map.get(at.get());
            if (value != null) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    private static boolean anyAtOrAbove(Set<AbsolutePath> set, AbsolutePath path) {
        if (set.isEmpty()) {
            return false;
        }
        return set.contains(path) || path.ancestors().stream().anyMatch(set::contains);
    }
}
