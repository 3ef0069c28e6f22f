package dev.sandbox.mountns;

import dev.sandbox.linux.landlock.LandlockAbi;
import java.util.Optional;

/**
 * What lies below a step's mounts. A mask is busy in its own mount namespace alone: a process elsewhere that was handed a descriptor of
 * the folder renames it away, unless Landlock in that process's own domain refuses that. Without Landlock no descriptor may reach
 * another step.
 */
enum Below {
    LANDLOCK,
    NOTHING;

    static Below of(Optional<LandlockAbi> landlock) {
        return landlock.isPresent() ? LANDLOCK : NOTHING;
    }
}
