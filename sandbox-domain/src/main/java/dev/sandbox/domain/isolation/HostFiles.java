package dev.sandbox.domain.isolation;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;

/** The port through which folders are made on the host before a step starts. Never follows a symbolic link. */
public interface HostFiles {
    /** Makes a directory and its missing parents, mode 0700, and nothing when it is there. */
    void createDirectory(AbsolutePath directory);

    /** Writes a file unless one is there. */
    void writeIfMissing(AbsolutePath directory, String name, String content);

    /** Makes an empty folder of one's own with a short name, mode 0700, in a directory such as /tmp, or elsewhere if that may not be. */
    AbsolutePath createTemporary(AbsolutePath parent);

    /** Makes an empty folder of one's own, mode 0700, where no grant of a policy reaches: for what the sandbox itself relies on. */
    AbsolutePath createHidden();

    /** The same, but whatever it makes belongs to somebody else; what is there already keeps its owner. Takes root. */
    HostFiles ownedBy(Identity owner);

    /** Removes a tree; links in it are removed, not followed. */
    void removeTree(AbsolutePath directory);
}
