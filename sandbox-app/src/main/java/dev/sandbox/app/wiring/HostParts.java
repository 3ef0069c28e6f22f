package dev.sandbox.app.wiring;

import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.ServiceSockets;
import dev.sandbox.domain.resolve.SystemBaseline;
import dev.sandbox.linux.ControlFolder;
import dev.sandbox.linux.HostFileSystemView;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeHostFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a sandbox is made of on this host, whoever puts it together: {@link SandboxModule} by Guice, {@link Sandboxes} by hand. */
final class HostParts {
    private static final String EXTRA_PATHS = "SANDBOX_EXTRA_SYSTEM_PATHS";

    private HostParts() {}

    static HostFiles files(Map<String, String> environment, LinuxSyscalls syscalls) {
        // Inside another sandbox /tmp is not ours to write, and TMPDIR is.
        String own = environment.getOrDefault("TMPDIR", "");
        return new NativeHostFiles(
                syscalls, own.startsWith("/") && !own.contains("..") ? List.of(AbsolutePath.of(own)) : List.of());
    }

    static Host host(Map<String, String> environment, LinuxSyscalls syscalls) {
        List<String> extra = new ArrayList<>();
        for (String path : environment.getOrDefault(EXTRA_PATHS, "").split(":", -1)) {
            if (path.startsWith("/")) { // a relative one would be the workspace's to fill
                extra.add(path);
            }
        }
        return new Host(
                new HostFileSystemView(syscalls),
                SystemBaseline.standard(),
                extra,
                ServiceSockets.of(environment, syscalls.raw().getuid()),
                Optional.of(ControlFolder.ofThisAccount().records()));
    }

    /** Those that the order names, as it has them. */
    static List<IsolationBackend> inOrder(List<BackendName> order, List<IsolationBackend> backends) {
        List<IsolationBackend> sorted = new ArrayList<>();
        for (BackendName name : order) {
            for (IsolationBackend backend : backends) {
                if (backend.name() == name) {
                    sorted.add(backend);
                }
            }
        }
        return sorted;
    }
}
