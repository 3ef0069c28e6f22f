package dev.sandbox.docker;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.linux.HostPlaceholders;
import dev.sandbox.linux.LinuxSyscalls;

/** Adds {@link DockerBackend} to the set of backends. Only this class needs Guice. */
public final class DockerModule extends AbstractModule {
    @ProvidesIntoSet
    @Singleton
    IsolationBackend backend(Host host, HostFiles files, LinuxSyscalls syscalls) {
        return new DockerBackend(host, files, new HostPlaceholders(syscalls), DefaultImage.find());
    }
}
