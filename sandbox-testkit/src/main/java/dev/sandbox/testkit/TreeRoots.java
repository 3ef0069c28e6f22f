package dev.sandbox.testkit;

import dev.sandbox.domain.path.AbsolutePath;

/**
 * Two folders in which generated trees grow, neither of which lies in the other.
 *
 * @param base a policy's base_dir, to which relative paths are relative
 * @param outside where links and absolute paths may lead as well
 */
public record TreeRoots(AbsolutePath base, AbsolutePath outside) {
    /** Short ones, for when any will do. */
    public static final TreeRoots SHORT = of("/w", "/x");

    public TreeRoots {
        if (base.contains(outside) || outside.contains(base)) {
            throw new IllegalArgumentException("one of " + base + " and " + outside + " lies in the other");
        }
    }

    /** Roots of these texts. */
    public static TreeRoots of(String base, String outside) {
        return new TreeRoots(AbsolutePath.of(base), AbsolutePath.of(outside));
    }
}
