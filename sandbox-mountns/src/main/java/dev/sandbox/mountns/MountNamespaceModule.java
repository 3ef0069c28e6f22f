package dev.sandbox.mountns;

import com.google.inject.Key;
import com.google.inject.PrivateModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.name.Named;
import com.google.inject.name.Names;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.linux.LinuxSyscalls;

/** Exposes one thing: {@code @Named("mountns") IsolationBackend}. */
public final class MountNamespaceModule extends PrivateModule {
    @Override
    protected void configure() {
        expose(Key.get(IsolationBackend.class, Names.named("mountns")));
    }

    @Provides
    @Singleton
    @Named("mountns")
    IsolationBackend backend(LinuxSyscalls syscalls, Host host) {
        return new MountNamespaceBackend(syscalls, host);
    }
}
