package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.path.PathResolution;
import java.util.List;
import java.util.stream.Stream;

/**
 * What resolution needs to know of the machine.
 *
 * @param files the file system
 * @param baseline what every step may read
 * @param extraSystemPaths the deployment's own tool folders ({@code SANDBOX_EXTRA_SYSTEM_PATHS}), as written; missing ones are skipped
 * @param callersSockets where the caller's own services listen, beside those of the machine
 */
public record Host(
        FileSystemView files,
        SystemBaseline baseline,
        List<String> extraSystemPaths,
        List<ServiceSocket> callersSockets) {
    public Host {
        extraSystemPaths = List.copyOf(extraSystemPaths);
        callersSockets = List.copyOf(callersSockets);
    }

    /** A host whose caller has no service of its own. */
    public Host(FileSystemView files, SystemBaseline baseline, List<String> extraSystemPaths) {
        this(files, baseline, extraSystemPaths, List.of());
    }

    /** A host with the standard baseline and no extra folders. */
    public static Host standard(FileSystemView files) {
        return new Host(files, SystemBaseline.standard(), List.of());
    }

    /** The same with another view of its files. */
    public Host with(FileSystemView view) {
        return new Host(view, baseline, extraSystemPaths, callersSockets);
    }

    /** All sockets that a grant must not hand over by accident. */
    Stream<ServiceSocket> serviceSockets() {
        return Stream.concat(ServiceSockets.ofTheSystem().stream(), callersSockets.stream());
    }

    /** Where the links in this path lead. */
    PathResolution follow(AbsolutePath path) {
        return PathResolution.follow(path, files);
    }
}
