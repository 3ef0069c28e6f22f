package dev.sandbox.docker;

import com.google.inject.Key;
import com.google.inject.PrivateModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.name.Named;
import com.google.inject.name.Names;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.linux.HostPlaceholders;
import dev.sandbox.linux.LinuxSyscalls;

/** Exposes one thing: {@code @Named("docker") IsolationBackend}. */
public final class DockerModule extends PrivateModule {
    @Override
    protected void configure() {
        expose(Key.get(IsolationBackend.class, Names.named("docker")));
    }

    @Provides
    @Singleton
    @Named("docker")
    IsolationBackend backend(Host host, HostFiles files, LinuxSyscalls syscalls) {
        return new DockerBackend(host, files, new HostPlaceholders(syscalls), DefaultImage.find());
    }
}
