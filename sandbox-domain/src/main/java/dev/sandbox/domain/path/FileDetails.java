package dev.sandbox.domain.path;

import java.util.List;
import java.util.Optional;

/**
 * What else a host tells of its files, beside their kinds. As {@link FileSystemView}: no link is followed, nothing is thrown for what
 * is missing or forbidden, any thread may ask. Nothing here blocks: a FIFO is looked at, not opened.
 */
public interface FileDetails {
    /** A host that tells nothing. */
    FileDetails UNKNOWN = new FileDetails() {};

    /** As whom this process looks and makes. */
    default Optional<Identity> caller() {
        return Optional.empty();
    }

    /** Owner and mode of what stands at a path. */
    default Optional<Ownership> ownership(AbsolutePath path) {
        return Optional.empty();
    }

    /** The beginning of a regular file, at most 4096 bytes. */
    default Optional<String> text(AbsolutePath file) {
        return text(file, 4096);
    }

    /** The beginning of a regular file, at most so many bytes. */
    default Optional<String> text(AbsolutePath file, int most) {
        return Optional.empty();
    }

    /** The names in a directory, sorted; at most {@code most} of them. */
    default List<String> names(AbsolutePath directory, int most) {
        return List.of();
    }

    /** Differs when what stands at a path was changed, replaced or made since; absent where nothing stands. */
    default Optional<String> fingerprint(AbsolutePath path) {
        return Optional.empty();
    }

    /** Whether a file is the caller's or root's, and its mode has none of these bits; false when it cannot be looked at. */
    default boolean isCallersOrRoots(AbsolutePath file, int forbiddenMode) {
        return ownership(file)
                .filter(found -> (found.mode() & forbiddenMode) == 0)
                .filter(found -> found.owner().uid() == 0
                        || caller().filter(
                                        caller -> caller.uid() == found.owner().uid())
                                .isPresent())
                .isPresent();
    }
}
