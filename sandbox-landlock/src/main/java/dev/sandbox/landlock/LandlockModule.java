package dev.sandbox.landlock;

import com.google.inject.Key;
import com.google.inject.PrivateModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.name.Named;
import com.google.inject.name.Names;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.linux.LinuxSyscalls;

/** Exposes one thing: {@code @Named("landlock") IsolationBackend}. */
public final class LandlockModule extends PrivateModule {
    @Override
    protected void configure() {
        expose(Key.get(IsolationBackend.class, Names.named("landlock")));
    }

    @Provides
    @Singleton
    @Named("landlock")
    IsolationBackend backend(LinuxSyscalls syscalls, Host host, HostFiles files) {
        return new LandlockBackend(syscalls, host, files);
    }
}
