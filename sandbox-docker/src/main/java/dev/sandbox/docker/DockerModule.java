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
import java.util.Optional;

/** Exposes one thing: {@code @Named("docker") IsolationBackend}. */
public final class DockerModule extends PrivateModule {
    /** Names the image for policies that name none; the system property {@code sandbox.docker.image} comes first. */
    public static final String IMAGE_VARIABLE = "SANDBOX_DOCKER_IMAGE";

    private static final String IMAGE_PROPERTY = "sandbox.docker.image";

    @Override
    protected void configure() {
        expose(Key.get(IsolationBackend.class, Names.named("docker")));
    }

    @Provides
    @Singleton
    @Named("docker")
    IsolationBackend backend(Host host, HostFiles files, LinuxSyscalls syscalls) {
        return new DockerBackend(host, files, new HostPlaceholders(syscalls), defaultImage());
    }

    /** The image for policies that name none. */
    public static Optional<String> defaultImage() {
        return Optional.ofNullable(System.getProperty(IMAGE_PROPERTY))
                .or(() -> Optional.ofNullable(System.getenv(IMAGE_VARIABLE)))
                .filter(image -> !image.isBlank());
    }
}
