package dev.sandbox.domain.isolation;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;
import java.util.Optional;

/** The port through which folders are made on the host before a step starts. Never follows a symbolic link. */
public interface HostFiles {
    /** Makes a directory and its missing parents, mode 0700, and nothing when it is there. */
    void createDirectory(AbsolutePath directory);

    /**
     * Why a folder cannot be the step's own: something else stands there, or its account may not write in it or make it. Makes
     * nothing; empty when nothing is known to be in the way.
     *
     * @return for people, beginning with a path
     */
    Optional<String> obstacle(AbsolutePath directory);

    /**
     * As {@link #createDirectory}; one that it makes is marked as the sandbox's own, by a {@code .gitignore} of {@code *} that says
     * so. What stood there before gets no file.
     */
    void createOwn(AbsolutePath directory);

    /** Removes a folder that {@link #createOwn} made, with all that is in it; no other. */
    Removal removeOwn(AbsolutePath directory);

    /** What {@link #removeOwn} did. */
    enum Removal {
        REMOVED,
        /** Nothing of that name is there. */
        MISSING,
        /** It stands as it was: the sandbox did not make it, or it belongs to another account. */
        NOT_OURS
    }

    /** Writes a file unless one is there. */
    void writeIfMissing(AbsolutePath directory, String name, String content);

    /**
     * Makes an empty folder of one's own with a short name, mode 0700, in a directory such as /tmp, or elsewhere if that may not be.
     *
     * @throws dev.sandbox.domain.problem.SandboxUnavailableException when it may be nowhere, with what helps
     */
    AbsolutePath createTemporary(AbsolutePath parent);

    /** Makes an empty folder of one's own, mode 0700, where no grant of a policy reaches: for what the sandbox itself relies on. */
    AbsolutePath createHidden();

    /** The same, but whatever it makes belongs to somebody else; what is there already keeps its owner. Takes root. */
    HostFiles ownedBy(Identity owner);

    /** Removes a tree; links in it are removed, not followed. */
    void removeTree(AbsolutePath directory);
}
