package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.path.PathResolution;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What resolution needs to know of the machine.
 *
 * @param files the file system
 * @param baseline what every step may read
 * @param extraSystemPaths the deployment's own tool folders ({@code SANDBOX_EXTRA_SYSTEM_PATHS}), as written; missing ones are skipped
 * @param callersSockets where the caller's own services listen, beside those of the machine
 * @param ownRecords where the sandbox keeps what its processes tell each other; no grant may reach there
 */
public record Host(
        FileSystemView files,
        SystemBaseline baseline,
        List<String> extraSystemPaths,
        List<ServiceSocket> callersSockets,
        Optional<AbsolutePath> ownRecords) {
    public Host {
        extraSystemPaths = List.copyOf(extraSystemPaths);
        callersSockets = List.copyOf(callersSockets);
    }

    /** A host whose caller has no service of its own. */
    public Host(FileSystemView files, SystemBaseline baseline, List<String> extraSystemPaths) {
        this(files, baseline, extraSystemPaths, List.of());
    }

    /** A host on which the sandbox keeps no records. */
    public Host(
            FileSystemView files,
            SystemBaseline baseline,
            List<String> extraSystemPaths,
            List<ServiceSocket> callersSockets) {
        this(files, baseline, extraSystemPaths, callersSockets, Optional.empty());
    }

    /** A host with the standard baseline and no extra folders. */
    public static Host standard(FileSystemView files) {
        return new Host(files, SystemBaseline.standard(), List.of());
    }

    /** The sockets of runtimes of containers and machines that stand here, without links: who talks to one has the host. */
    public Stream<AbsolutePath> runtimeSockets() {
        return serviceSockets()
                .filter(ServiceSockets::isOfRuntime)
                .map(socket -> follow(socket.path()))
                .filter(found -> found.kind() == EntryKind.SOCKET)
                .map(PathResolution::path);
    }

    /** The same with another view of its files. */
    public Host with(FileSystemView view) {
        return new Host(view, baseline, extraSystemPaths, callersSockets);
    }

    /** All sockets that a grant must not hand over by accident. */
    Stream<ServiceSocket> serviceSockets() {
        return Stream.concat(ServiceSockets.ofTheSystem().stream(), callersSockets.stream());
    }

    /**
     * The path that a written text names; {@code ..} means what the kernel means.
     *
     * @throws IllegalArgumentException as {@link PathResolution#named}
     */
    AbsolutePath named(AbsolutePath from, String written) {
        return PathResolution.named(from, written, files);
    }

    /** Where the links in this path lead. */
    PathResolution follow(AbsolutePath path) {
        return PathResolution.follow(path, files);
    }
}
