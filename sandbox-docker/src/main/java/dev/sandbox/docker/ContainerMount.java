package dev.sandbox.docker;

import dev.sandbox.domain.path.AbsolutePath;
import java.util.Locale;

/**
 * One mount of a container.
 *
 * @param target where
 * @param kind what is seen there
 * @param source the place on the host that it shows or covers: the same path, or what that leads to through links
 */
public record ContainerMount(AbsolutePath target, Kind kind, AbsolutePath source)
        implements Comparable<ContainerMount> {
    /** One at the same path inside as on the host. */
    public ContainerMount(AbsolutePath target, Kind kind) {
        this(target, kind, target);
    }

    /** The same thing under a name that leads to it, or to a folder above it, through links. */
    ContainerMount named(AbsolutePath canonical, AbsolutePath name) {
        return new ContainerMount(name.resolve(canonical.relativize(target)), kind, source);
    }

    /** What a mount shows. */
    public enum Kind {
        /** The host's file or directory, writable. */
        BIND,
        /** The host's file or directory, read-only. */
        BIND_READ_ONLY,
        /** An empty, unreadable, read-only directory in place of what is blocked. */
        MASK_DIRECTORY,
        /** An empty, unreadable, read-only file in place of what is blocked. */
        MASK_FILE,
        /** An empty read-only directory, so that a working directory exists. */
        EMPTY_DIRECTORY,
        /** An empty writable directory in memory. */
        SCRATCH;

        /** The name in plans. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** True when it stands for something of the host's at that place. */
        boolean isOnTheHost() {
            return isBind() || this == MASK_DIRECTORY || this == MASK_FILE;
        }

        /** True when the host's own files show through. */
        public boolean isBind() {
            return this == BIND || this == BIND_READ_ONLY;
        }
    }

    /** Parents before children. */
    @Override
    public int compareTo(ContainerMount other) {
        int order = target.compareTo(other.target);
        return order != 0 ? order : kind.compareTo(other.kind);
    }
}
