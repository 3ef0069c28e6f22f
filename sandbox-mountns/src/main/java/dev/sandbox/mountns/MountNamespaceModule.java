package dev.sandbox.mountns;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.linux.LinuxSyscalls;

/** Adds {@link MountNamespaceBackend} to the set of backends. Only this class needs Guice. */
public final class MountNamespaceModule extends AbstractModule {
    @ProvidesIntoSet
    @Singleton
    IsolationBackend backend(LinuxSyscalls syscalls, Host host, HostFiles files) {
        return new MountNamespaceBackend(syscalls, host, files);
    }
}
