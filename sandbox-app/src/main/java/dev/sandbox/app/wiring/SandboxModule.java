package dev.sandbox.app.wiring;

import com.google.inject.AbstractModule;
import com.google.inject.Key;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.OptionalBinder;
import com.google.inject.name.Named;
import com.google.inject.name.Names;
import dev.sandbox.domain.Sandbox;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.Concurrency;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.isolation.RunLedger;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.linux.HostLedger;
import dev.sandbox.linux.LinuxSyscalls;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Wires a {@link Sandbox} over the backends that are installed beside it: {@code new SandboxModule(new LandlockModule())}. Each
 * backend's module exposes {@code @Named("its name") IsolationBackend}; they are tried in the order of {@link BackendName}.
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
        backends.forEach(this::install);
        for (BackendName name : BackendName.values()) {
            OptionalBinder.newOptionalBinder(binder(), Key.get(IsolationBackend.class, Names.named(name.id())));
        }
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
    HostFiles hostFiles(LinuxSyscalls syscalls) {
        return HostParts.files(environment, syscalls);
    }

    @Provides
    @Singleton
    Host host(LinuxSyscalls syscalls) {
        return HostParts.host(environment, syscalls);
    }

    /** In which order {@code auto} tries the backends: what holds most comes first. One that is not named is not used. */
    @Provides
    @Singleton
    @Named("order")
    List<BackendName> order() {
        return BackendOrder.parse(environment.getOrDefault(BackendOrder.VARIABLE, ""));
    }

    @Provides
    @Singleton
    StandardSandbox sandbox(
            Host host,
            HostFiles files,
            Concurrency concurrency,
            RunLedger ledger,
            @Named("order") List<BackendName> order,
            @Named("landlock") Optional<IsolationBackend> landlock,
            @Named("mountns") Optional<IsolationBackend> mountns,
            @Named("docker") Optional<IsolationBackend> docker) {
        List<IsolationBackend> installed =
                Stream.of(mountns, landlock, docker).flatMap(Optional::stream).toList();
        List<IsolationBackend> inOrder = HostParts.inOrder(order, installed);
        return new StandardSandbox(host, files, environment, inOrder, System::nanoTime, concurrency, ledger);
    }
}
