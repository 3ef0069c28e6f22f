package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.path.PathResolution;
import java.util.List;

/**
 * What resolution needs to know of the machine.
 *
 * @param files the file system
 * @param baseline what every step may read
 * @param extraSystemPaths the deployment's own tool folders ({@code SANDBOX_EXTRA_SYSTEM_PATHS}), as written; missing ones are skipped
 */
public record Host(FileSystemView files, SystemBaseline baseline, List<String> extraSystemPaths) {
    /** A host with the standard baseline and no extra folders. */
    public static Host standard(FileSystemView files) {
        return new Host(files, SystemBaseline.standard(), List.of());
    }

    /** Where the links in this path lead. */
    PathResolution follow(AbsolutePath path) {
        return PathResolution.follow(path, files);
    }
}
