package dev.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineAddressTest {
    @TempDir
    private Path home;

    @Test
    void aSocketThatIsNotThereIsAnAbsence() {
        assertThat(EngineAddress.absence(Map.of("DOCKER_HOST", "unix:///no/docker.sock"), home))
                .contains("no container engine listens on /no/docker.sock");
    }

    @Test
    void aSocketThatIsThereMayAnswer() throws IOException {
        Path socket = Files.createFile(home.resolve("docker.sock"));
        assertThat(EngineAddress.absence(Map.of("DOCKER_HOST", "unix://" + socket), home))
                .isEmpty();
    }

    @Test
    void aRemoteEngineAContextOrAConfigurationMayAnswer() throws IOException {
        assertThat(EngineAddress.absence(Map.of("DOCKER_HOST", "tcp://127.0.0.1:1"), home))
                .isEmpty();
        assertThat(EngineAddress.absence(Map.of("DOCKER_CONTEXT", "other"), home))
                .isEmpty();
        Files.createDirectory(home.resolve(".docker"));
        Files.createFile(home.resolve(".docker/config.json"));
        assertThat(EngineAddress.absence(Map.of(), home)).isEmpty();
    }
}
