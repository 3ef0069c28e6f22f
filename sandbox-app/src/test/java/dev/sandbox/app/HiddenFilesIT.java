package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A step that has a file system of its own is told nothing of the host's by way of denials and explanations. */
final class HiddenFilesIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> HIDDEN =
            List.of("secret", "folder", "folder/below", "link", "absent", "absent/below");

    @TempDir
    private Path folder;

    private Path work;
    private Path hidden;

    @BeforeEach
    void hideFiles() throws IOException {
        work = Files.createDirectory(folder.resolve("work"));
        hidden = Files.createDirectory(folder.resolve("hidden"));
        Files.writeString(hidden.resolve("secret"), "secret");
        Files.writeString(Files.createDirectory(hidden.resolve("folder")).resolve("below"), "secret");
        Files.createSymbolicLink(hidden.resolve("link"), Path.of("folder"));
    }

    /** What is said of a path, without its name. */
    private static String nameless(String said, Path path) {
        return said.replace(path.toString(), "PATH").replaceAll("paths: \\[[^]]*]", "paths: [GRANT]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mountns", "docker"})
    void whatIsHiddenIsToldAsIfItWereNotThere(String backend) throws IOException {
        for (String complaint :
                List.of("cat: %s: Permission denied", "mkdir: cannot create directory '%s': Permission denied")) {
            String expected = denials(backend, complaint, hidden.resolve("absent"));
            assertThat(expected).contains("PATH");
            for (String name : HIDDEN) {
                assertThat(denials(backend, complaint, hidden.resolve(name)))
                        .as(name)
                        .isEqualTo(expected);
            }
        }
    }

    private String denials(String backend, String complaint, Path path) throws IOException {
        Sandboxed.Outcome outcome = Sandboxed.from(work)
                .with(
                        "DOCKER_HOST",
                        String.valueOf(System.getenv().getOrDefault("DOCKER_HOST", "unix:///var/run/docker.sock")))
                .run(
                        "run",
                        "--json",
                        "--backend",
                        backend,
                        "--image",
                        "sandbox-test-busybox",
                        "--",
                        "/bin/sh",
                        "-c",
                        "echo \"$1\" >&2; exit 1",
                        "sh",
                        complaint.formatted(path));
        assumeTrue(outcome.code() != 125, "needs a container engine or mount namespaces: " + outcome.err());
        return nameless(JSON.readTree(outcome.ended(1).bytes()).path("denials").toString(), path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "list", "write", "create"})
    void aClientsQuestionIsAnsweredFromWhatAStepSees(String operation) {
        try (Served server = Served.from(work, "--backend", "mountns")) {
            String expected = explained(server, hidden.resolve("absent"), operation);
            for (String name : HIDDEN) {
                assertThat(explained(server, hidden.resolve(name), operation))
                        .as(name)
                        .isEqualTo(expected);
            }
        }
    }

    private static String explained(Served server, Path path, String operation) {
        return nameless(
                server.get("/api/explain?path=" + path + "&operation=" + operation)
                        .with(200)
                        .body(),
                path);
    }
}
