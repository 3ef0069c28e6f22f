package dev.sandbox.core;

import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.isolation.Concurrency;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.isolation.RunLedger;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.landlock.LandlockBackend;
import dev.sandbox.linux.HostLedger;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.mountns.MountNamespaceBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Puts a sandbox together from the backends that are named, tried in the order in which they were added. Not thread-safe.
 *
 * <pre>
 * Sandbox sandbox = Sandboxes.builder().mountns().landlock().build();
 * </pre>
 */
public final class SandboxBuilder {
    private final Map<String, String> environment;
    private final HostParts parts;
    private final List<IsolationBackend> backends = new ArrayList<>();
    private Concurrency concurrency = Concurrency.unbounded();
    private RunLedger ledger = new HostLedger();

    SandboxBuilder(Map<String, String> environment) {
        this.environment = Map.copyOf(Objects.requireNonNull(environment, "environment"));
        this.parts = new HostParts(this.environment, LinuxSyscalls.host());
    }

    /** Adds Landlock. */
    public SandboxBuilder landlock() {
        return backend(new LandlockBackend(parts.syscalls(), parts.host(), parts.files()));
    }

    /** Adds mount namespaces. */
    public SandboxBuilder mountns() {
        return backend(new MountNamespaceBackend(parts.syscalls(), parts.host(), parts.files()));
    }

    /**
     * Adds containers.
     *
     * @throws SandboxUnavailableException when {@code sandbox-docker} is not on the class path
     */
    public SandboxBuilder docker() {
        if (!Containers.areOnTheClassPath()) {
            throw new SandboxUnavailableException(
                    "docker", "sandbox-docker is not on the class path", "depend on dev.sandbox:sandbox-docker");
        }
        return backend(Containers.backend(parts));
    }

    /**
     * Adds one of your own.
     *
     * @throws IllegalArgumentException when one of that name was added
     */
    public SandboxBuilder backend(IsolationBackend backend) {
        Objects.requireNonNull(backend, "backend");
        for (IsolationBackend other : backends) {
            if (other.name().equals(backend.name())) {
                throw new IllegalArgumentException("there are two backends of the name " + backend.name());
            }
        }
        backends.add(backend);
        return this;
    }

    /** Adds one of your own that is made of what the standard ones are made of. */
    public SandboxBuilder backend(Function<HostParts, IsolationBackend> factory) {
        return backend(Objects.requireNonNull(factory, "factory").apply(parts));
    }

    /** How many steps may run at once; without this, as many as are asked for. */
    public SandboxBuilder concurrency(Concurrency bound) {
        this.concurrency = Objects.requireNonNull(bound, "bound");
        return this;
    }

    /** Where it is told what runs; without this, where {@code sandbox ps} looks. */
    public SandboxBuilder ledger(RunLedger told) {
        this.ledger = Objects.requireNonNull(told, "told");
        return this;
    }

    /**
     * The sandbox.
     *
     * @throws IllegalStateException when no backend was added: nothing could run
     */
    public StandardSandbox build() {
        if (backends.isEmpty()) {
            throw new IllegalStateException(
                    "no backend was added: call landlock(), mountns(), docker() or backend(...)");
        }
        return build(backends);
    }

    /** Every backend that is on the class path, as {@code SANDBOX_BACKENDS} orders them. */
    StandardSandbox standard() {
        mountns().landlock();
        if (Containers.areOnTheClassPath()) {
            docker();
        }
        return build(BackendOrder.apply(environment.getOrDefault(BackendOrder.VARIABLE, ""), backends));
    }

    private StandardSandbox build(List<IsolationBackend> ordered) {
        return new StandardSandbox(
                parts.host(), parts.files(), environment, ordered, System::nanoTime, concurrency, ledger);
    }
}
