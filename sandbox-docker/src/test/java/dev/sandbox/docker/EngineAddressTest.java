package dev.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineAddressTest {
    @TempDir
    private Path home;

    private EngineAddress find(Map<String, String> environment) {
        return EngineAddress.find(environment, home);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            unix:///no/docker.sock  | no container engine listens on /no/docker.sock
            tcp://192.0.2.1:2376    | is another machine's
            ssh://somebody@a-host   | is another machine's
            tcp://127.0.0.1         | lacks a host or a port
            http://127.0.0.1:2375   | cannot be used
            a b                     | is no address
            """)
    void anEngineThatCannotServeIsRefusedWithASentence(String host, String told) {
        assertThatThrownBy(() -> find(Map.of("DOCKER_HOST", host)))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining(told);
    }

    @Test
    void theHostThatIsNamedComesFirst() throws IOException {
        Path socket = Files.createFile(home.resolve("docker.sock"));
        EngineAddress found = find(Map.of("DOCKER_HOST", "unix://" + socket, "DOCKER_CONTEXT", "other"));
        assertThat(found.socket()).isEqualTo(socket);
        assertThat(found.isSocket()).isTrue();
    }

    @Test
    void keysComeFromTheirOwnFolderOrTheConfigurations() {
        String host = "tcp://127.0.0.1:2376";
        assertThat(find(Map.of("DOCKER_HOST", host)).certificates()).isEmpty();
        assertThat(find(Map.of("DOCKER_HOST", host, "DOCKER_TLS_VERIFY", "1")).certificates())
                .contains(home.resolve(".docker"));
        assertThat(find(Map.of("DOCKER_HOST", host, "DOCKER_TLS_VERIFY", "1", "DOCKER_CERT_PATH", "/keys"))
                        .certificates())
                .contains(Path.of("/keys"));
    }

    @Test
    void aContextIsFoundByItsName() throws Exception {
        String id = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest("lab".getBytes(StandardCharsets.UTF_8)));
        Path meta = Files.createDirectories(home.resolve(".docker/contexts/meta/" + id));
        Files.writeString(
                meta.resolve("meta.json"),
                "{\"Name\":\"lab\",\"Endpoints\":{\"docker\":{\"Host\":\"tcp://127.0.0.1:9\",\"SkipTLSVerify\":false}}}");
        Path keys = Files.createDirectories(home.resolve(".docker/contexts/tls/" + id + "/docker"));
        Files.createFile(keys.resolve("ca.pem"));
        EngineAddress named = find(Map.of("DOCKER_CONTEXT", "lab"));
        assertThat(named.uri()).hasToString("tcp://127.0.0.1:9");
        assertThat(named.certificates()).contains(keys);
        Files.writeString(home.resolve(".docker/config.json"), "{\"auths\":{},\"currentContext\":\"lab\"}");
        assertThat(find(Map.of())).isEqualTo(named);
        assertThatThrownBy(() -> find(Map.of("DOCKER_CONTEXT", "gone"))).hasMessageContaining("no docker context gone");
    }

    @Test
    void aConfigurationThatCannotBeReadIsTold() throws IOException {
        Files.writeString(Files.createDirectory(home.resolve(".docker")).resolve("config.json"), "{");
        assertThatThrownBy(() -> find(Map.of())).hasMessageContaining("config.json");
    }
}
