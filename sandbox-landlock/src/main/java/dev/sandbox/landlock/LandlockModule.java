package dev.sandbox.landlock;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.linux.LinuxSyscalls;

/** Adds {@link LandlockBackend} to the set of backends. Only this class needs Guice. */
public final class LandlockModule extends AbstractModule {
    @ProvidesIntoSet
    @Singleton
    IsolationBackend backend(LinuxSyscalls syscalls, Host host, HostFiles files) {
        return new LandlockBackend(syscalls, host, files);
    }
}
