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
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.ServiceSockets;
import dev.sandbox.domain.resolve.SystemBaseline;
import dev.sandbox.linux.ControlFolder;
import dev.sandbox.linux.HostFileSystemView;
import dev.sandbox.linux.HostLedger;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeHostFiles;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Wires a {@link Sandbox} over the backends that are installed beside it: {@code new SandboxModule(new LandlockModule())}. Each
 * backend's module exposes {@code @Named("its name") IsolationBackend}; they are tried in the order of {@link BackendName}.
 */
public final class SandboxModule extends AbstractModule {
    private static final String EXTRA_PATHS = "SANDBOX_EXTRA_SYSTEM_PATHS";

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
        // Inside another sandbox /tmp is not ours to write, and TMPDIR is.
        List<AbsolutePath> own = Stream.ofNullable(environment.get("TMPDIR"))
                .filter(path -> path.startsWith("/") && !path.contains(".."))
                .map(AbsolutePath::of)
                .toList();
        return new NativeHostFiles(syscalls, own);
    }

    @Provides
    @Singleton
    Host host(LinuxSyscalls syscalls) {
        List<String> extra = Arrays.stream(
                        environment.getOrDefault(EXTRA_PATHS, "").split(":"))
                .filter(path -> path.startsWith("/")) // a relative one would be the workspace's to fill
                .toList();
        return new Host(
                new HostFileSystemView(syscalls),
                SystemBaseline.standard(),
                extra,
                ServiceSockets.of(environment, syscalls.raw().getuid()),
                Optional.of(ControlFolder.ofThisAccount().records()));
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
        List<IsolationBackend> inOrder = Stream.of(mountns, landlock, docker)
                .flatMap(Optional::stream)
                .sorted(Comparator.comparing(backend -> order.indexOf(backend.name())))
                .filter(backend -> order.contains(backend.name()))
                .toList();
        return new StandardSandbox(host, files, environment, inOrder, System::nanoTime, concurrency, ledger);
    }
}
