package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;

/** The port through which the planner learns where the step can make nothing, whatever its policy says. */
@FunctionalInterface
public interface ClosedFolder {
    /** Whether an existing folder is closed to whoever runs the step, and stays so. */
    boolean test(AbsolutePath folder);
}
