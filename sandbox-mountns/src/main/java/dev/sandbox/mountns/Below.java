package dev.sandbox.mountns;

import dev.sandbox.linux.landlock.LandlockAbi;
import java.util.Optional;

/**
 * What lies below a step's mounts. A mask is a mount point, and busy in its own mount namespace alone: a process elsewhere that was
 * handed a descriptor of the folder renames the blocked entry, and so does the step itself from namespaces of its own, unless Landlock
 * in that process's domain refuses it. Without Landlock a step with blocks gets neither: no unix socket that leads to another process,
 * and no namespaces.
 */
enum Below {
    LANDLOCK,
    NOTHING;

    static Below of(Optional<LandlockAbi> landlock) {
        return landlock.isPresent() ? LANDLOCK : NOTHING;
    }
}
