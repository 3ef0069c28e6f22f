package dev.sandbox.app.wiring;

import dev.sandbox.docker.DockerBackend;
import dev.sandbox.domain.Sandbox;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.Concurrency;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.landlock.LandlockBackend;
import dev.sandbox.linux.HostLedger;
import dev.sandbox.linux.HostPlaceholders;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.mountns.MountNamespaceBackend;
import java.util.List;
import java.util.Map;

/**
 * The sandbox with every backend of this distribution, for those who need no wiring of their own. Put together by hand: what {@link
 * SandboxModule} does with the same modules, without Guice, which takes longer to start than a step does.
 */
public final class Sandboxes {
    private Sandboxes() {}

    /** A sandbox on this host, with this process's environment. */
    public static Sandbox standard() {
        return standard(System.getenv());
    }

    /** A sandbox on this host; steps inherit from the environment given. */
    public static StandardSandbox standard(Map<String, String> environment) {
        LinuxSyscalls syscalls = LinuxSyscalls.host();
        HostFiles files = HostParts.files(environment, syscalls);
        Host host = HostParts.host(environment, syscalls);
        List<BackendName> order = BackendOrder.parse(environment.getOrDefault(BackendOrder.VARIABLE, ""));
        List<IsolationBackend> backends = List.of(
                new MountNamespaceBackend(syscalls, host, files),
                new LandlockBackend(syscalls, host, files),
                new DockerBackend(host, files, new HostPlaceholders(syscalls), ContainerUpkeep.defaultImage()));
        return new StandardSandbox(
                host,
                files,
                environment,
                HostParts.inOrder(order, backends),
                System::nanoTime,
                Concurrency.unbounded(),
                new HostLedger());
    }
}
