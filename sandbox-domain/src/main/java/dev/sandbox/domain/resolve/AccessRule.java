package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import java.util.Comparator;

/**
 * One rule of a resolved policy. A rule on a directory concerns it and everything below; on anything else, that alone.
 *
 * @param path canonical: no component is a symbolic link
 * @param kind what stands there; {@code MISSING} only for blocks
 * @param access what is given or taken
 * @param source who asked for it
 */
public record AccessRule(AbsolutePath path, EntryKind kind, Access access, RuleSource source)
        implements Comparable<AccessRule> {
    private static final Comparator<AccessRule> ORDER =
            Comparator.comparing(AccessRule::path).thenComparing(AccessRule::access);

    /** True when the rule reaches this path. */
    public boolean covers(AbsolutePath other) {
        boolean whole = kind == EntryKind.DIRECTORY || access.isBlock();
        return whole ? path.contains(other) : path.equals(other);
    }

    /** True for a block that the sandbox adds to protect a person's trust, and that a backend without carve-outs leaves out. */
    public boolean isTrustHandoff() {
        return source.key().equals(RuleSource.TRUST);
    }

    /** By path, outermost first, then by access: parents come before their children. */
    @Override
    public int compareTo(AccessRule other) {
        return ORDER.compare(this, other);
    }
}
