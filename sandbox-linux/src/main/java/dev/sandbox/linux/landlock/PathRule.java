package dev.sandbox.linux.landlock;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import java.util.Set;

/**
 * A {@code LANDLOCK_RULE_PATH_BENEATH}.
 *
 * @param path canonical
 * @param kind what stood there when it was resolved
 * @param rights what is allowed beneath; fits the kind and the ABI; never empty
 */
public record PathRule(AbsolutePath path, EntryKind kind, Set<FsRight> rights) implements Comparable<PathRule> {
    @Override
    public int compareTo(PathRule other) {
        return path.compareTo(other.path);
    }
}
