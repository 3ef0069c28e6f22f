package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import java.util.List;

/** The port through which the planner lists directories, for grants that show names only. */
@FunctionalInterface
public interface DirectoryNames {
    /** The names in a directory, sorted; none when it may not be listed. */
    List<String> names(AbsolutePath directory);
}
