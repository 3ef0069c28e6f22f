package dev.sandbox.core;

import com.google.inject.AbstractModule;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.Multibinder;
import com.google.inject.multibindings.OptionalBinder;
import dev.sandbox.domain.Sandbox;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.isolation.Concurrency;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.isolation.RunLedger;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.linux.HostLedger;
import dev.sandbox.linux.LinuxSyscalls;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Wires a {@link Sandbox} by Guice over the backends that are installed beside it: {@code new SandboxModule(new LandlockModule())}.
 * Each backend's module adds to a set, and so does a module of your own, by {@code @ProvidesIntoSet IsolationBackend}. They are tried
 * in the order that {@code SANDBOX_BACKENDS} says; without it mountns, landlock, docker, and then others as they were added. Only
 * this class needs Guice.
 */
public final class SandboxModule extends AbstractModule {
    private final Map<String, String> environment;
    private final List<Module> backends;

    /** The backends given, and the environment of this process. */
    public SandboxModule(Module... backends) {
        this(System.getenv(), backends);
    }

    /** The backends given, and an environment of one's own from which steps inherit. */
    public SandboxModule(Map<String, String> environment, Module... backends) {
        this.environment = Map.copyOf(environment);
        this.backends = List.of(backends);
    }

    @Override
    protected void configure() {
        Multibinder.newSetBinder(binder(), IsolationBackend.class);
        backends.forEach(this::install);
        OptionalBinder.newOptionalBinder(binder(), Concurrency.class)
                .setDefault()
                .toInstance(Concurrency.unbounded());
        OptionalBinder.newOptionalBinder(binder(), RunLedger.class).setDefault().to(HostLedger.class);
        bind(Sandbox.class).to(StandardSandbox.class);
    }

    @Provides
    @Singleton
    LinuxSyscalls syscalls() {
        return LinuxSyscalls.host();
    }

    @Provides
    @Singleton
    HostParts parts(LinuxSyscalls syscalls) {
        return new HostParts(environment, syscalls);
    }

    @Provides
    HostFiles hostFiles(HostParts parts) {
        return parts.files();
    }

    @Provides
    Host host(HostParts parts) {
        return parts.host();
    }

    @Provides
    @Singleton
    StandardSandbox sandbox(
            Host host, HostFiles files, Concurrency concurrency, RunLedger ledger, Set<IsolationBackend> installed) {
        List<IsolationBackend> ordered =
                BackendOrder.apply(environment.getOrDefault(BackendOrder.VARIABLE, ""), List.copyOf(installed));
        return new StandardSandbox(host, files, environment, ordered, System::nanoTime, concurrency, ledger);
    }
}
