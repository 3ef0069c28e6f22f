package dev.sandbox.docker;

import com.github.dockerjava.core.DefaultDockerClientConfig;
import com.github.dockerjava.core.DockerClientConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Where the engine is, as DOCKER_HOST, DOCKER_TLS_VERIFY, DOCKER_CERT_PATH and the context say. */
final class EngineAddress {
    private static final String HOST = "DOCKER_HOST";
    private static final String LOCAL = "unix://";
    private static final String USUAL = LOCAL + "/var/run/docker.sock";

    private EngineAddress() {}

    /** Read anew each time: cheap, and a test may start an engine meanwhile. */
    static DockerClientConfig config() {
        return DefaultDockerClientConfig.createDefaultConfigBuilder().build();
    }

    static boolean isLocal(DockerClientConfig config) {
        return "unix".equals(config.getDockerHost().getScheme());
    }

    /** Why no engine can answer here. */
    static Optional<String> absence() {
        return absence(System.getenv(), Path.of(System.getProperty("user.home")));
    }

    /**
     * The same, found without connecting and without the client library: loading that takes longer than a whole command, which
     * a host without an engine must not pay.
     */
    static Optional<String> absence(Map<String, String> environment, Path home) {
        Optional<String> named = Optional.ofNullable(System.getProperty(HOST))
                .or(() -> Optional.ofNullable(environment.get(HOST)))
                .filter(address -> !address.isEmpty());
        if (named.isEmpty() && mayBeConfigured(environment, home)) {
            return Optional.empty();
        }
        return Optional.of(named.orElse(USUAL))
                .filter(address -> address.startsWith(LOCAL))
                .map(address -> Path.of(address.substring(LOCAL.length())))
                .filter(socket -> !Files.exists(socket))
                .map(socket -> "no container engine listens on " + socket);
    }

    private static boolean mayBeConfigured(Map<String, String> environment, Path home) {
        Path folder = Optional.ofNullable(environment.get("DOCKER_CONFIG"))
                .map(Path::of)
                .orElse(home.resolve(".docker"));
        return environment.containsKey("DOCKER_CONTEXT")
                || Stream.of(folder.resolve("config.json"), home.resolve(".docker-java.properties"))
                        .anyMatch(Files::exists);
    }
}
