package dev.sandbox.docker;

import com.github.dockerjava.core.DefaultDockerClientConfig;
import com.github.dockerjava.core.DockerClientConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where the engine is, as DOCKER_HOST, DOCKER_TLS_VERIFY, DOCKER_CERT_PATH and the context say. */
final class EngineAddress {
    private EngineAddress() {}

    /** Read anew each time: cheap, and a test may start an engine meanwhile. */
    static DockerClientConfig config() {
        return DefaultDockerClientConfig.createDefaultConfigBuilder().build();
    }

    /** Why nothing can answer at this address; found without connecting. */
    static Optional<String> absence(DockerClientConfig config) {
        Path socket = Path.of(config.getDockerHost().getPath());
        boolean local = isLocal(config);
        return local && !Files.exists(socket)
                ? Optional.of("no container engine listens on " + socket)
                : Optional.empty();
    }

    static boolean isLocal(DockerClientConfig config) {
        return "unix".equals(config.getDockerHost().getScheme());
    }
}
