package dev.sandbox.core;

import dev.sandbox.domain.isolation.HostFiles;
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

/** What backends are made of on this host, whoever puts them together: {@link SandboxModule} or {@link SandboxBuilder}. Thread-safe. */
public final class HostParts {
    private static final String EXTRA_PATHS = "SANDBOX_EXTRA_SYSTEM_PATHS";

    private final LinuxSyscalls syscalls;
    private final HostFiles files;
    private final Host host;

    HostParts(Map<String, String> environment, LinuxSyscalls syscalls) {
        this.syscalls = syscalls;
        this.files = files(environment, syscalls);
        this.host = host(environment, syscalls);
    }

    /** The kernel of this host. */
    public LinuxSyscalls syscalls() {
        return syscalls;
    }

    /** Makes and removes files of the host. */
    public HostFiles files() {
        return files;
    }

    /** What resolution sees of the machine. */
    public Host host() {
        return host;
    }

    private static HostFiles files(Map<String, String> environment, LinuxSyscalls syscalls) {
        // Inside another sandbox /tmp is not ours to write, and TMPDIR is.
        String own = environment.getOrDefault("TMPDIR", "");
        return new NativeHostFiles(
                syscalls, own.startsWith("/") && !own.contains("..") ? List.of(AbsolutePath.of(own)) : List.of());
    }

    private static Host host(Map<String, String> environment, LinuxSyscalls syscalls) {
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
}
