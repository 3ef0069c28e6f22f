package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What no honest client sends, and what a page of another origin would: it is refused, nothing runs, and the others are served. */
@Timeout(120)
@Tag("any-user")
final class HostileRequestsIT {
    private static final String GUARD = ",\"folder_guard\":{\"write_paths\":[\"out\"]}}";

    @TempDir(factory = ShortTempDir.class)
    private static Path folder;

    private static Path base;
    private static Served server;
    private static RawClient client;

    @BeforeAll
    static void serve() throws IOException {
        base = Files.createDirectories(folder.resolve("base"));
        Files.createDirectories(base.resolve("out"));
        server = Served.from(
                folder,
                Map.of("DOCKER_HOST", "unix:///nonexistent/docker.sock"),
                "--base-dir",
                "base",
                "--max-body",
                "64KiB");
        client = new RawClient(server.url().getPort());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"})
    void aFormOfAnotherPageCannotExecute(String type) {
        server.send(
                        "/api/execute",
                        request -> request.header("Content-Type", type)
                                .POST(HttpRequest.BodyPublishers.ofString("{\"command\":\"touch out/csrf\"" + GUARD)))
                .with(415);
        assertThat(base.resolve("out/csrf")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://evil.example", "null", "http://localhost:1", "https://127.0.0.1"})
    void anotherOriginCannotExecute(String origin) {
        server.send(
                        "/api/execute",
                        request -> request.header("Content-Type", "application/json")
                                .header("Origin", origin)
                                .POST(HttpRequest.BodyPublishers.ofString("{\"command\":\"touch out/cors\"" + GUARD)))
                .with(403);
        assertThat(base.resolve("out/cors")).doesNotExist();
    }

    @Test
    void aNameThatWasMadeToPointHereIsNotServed() throws IOException {
        String body = "{\"command\":\"touch out/rebound\"" + GUARD;
        for (String host :
                List.of("evil.example", "evil.example:" + server.url().getPort(), "localhost:1", "localhost")) {
            assertThat(client.answerTo("POST /api/execute HTTP/1.1\r\nHost: " + host
                            + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                            + body.length()
                            + "\r\n\r\n" + body))
                    .as(host)
                    .startsWith("HTTP/1.1 403");
        }
        assertThat(base.resolve("out/rebound")).doesNotExist();
    }

    @Test
    void brokenHeadersAreRefusedAndNothingRuns() throws IOException {
        String host = "Host: localhost:" + server.url().getPort() + "\r\n";
        String type = "Content-Type: application/json\r\n";
        String body = "{\"command\":\"touch out/smuggled\"" + GUARD;
        String end = "\r\n" + body;
        List<String> requests = List.of(
                "POST /api/execute HTTP/1.1\r\n" + host + "Host: evil\r\n" + type + "Content-Length: " + body.length()
                        + "\r\n" + end,
                "POST /api/execute HTTP/1.1\r\n" + type + "Content-Length: " + body.length() + "\r\n" + end,
                "POST /api/execute HTTP/1.1\r\n" + host + type + "Content-Length: -5\r\n" + end,
                "POST /api/execute HTTP/1.1\r\n" + host + type + "Content-Length: 5x\r\n" + end,
                "POST /api/execute HTTP/1.1\r\n" + host + type + "Content-Length: 5\r\nContent-Length: 6\r\n" + end,
                "POST /api/execute HTTP/1.1\r\n" + host + type + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n"
                        + end,
                "POST /api/execute HTTP/1.1\r\n" + host + type + "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + body,
                "POST /api/execute HTTP/1.1\r\n" + host + " folded: x\r\n" + type + "Content-Length: " + body.length()
                        + "\r\n" + end,
                "POST /api/execute HTTP/9.9\r\n" + host + type + "Content-Length: " + body.length() + "\r\n" + end,
                "POST /api/execute HTTP/1.1\r\n" + host + "X: " + "y".repeat(40_000) + "\r\n" + end,
                "POST /" + "a/".repeat(20_000) + " HTTP/1.1\r\n" + host + end,
                "POST /api/%2e%2e/api/execute HTTP/1.1\r\n" + host + type + "Content-Length: " + body.length() + "\r\n"
                        + end,
                "\u0000\u0001\u0002\r\n\r\n");
        for (String request : requests) {
            String answer = client.answerTo(request);
            assertThat(answer)
                    .as(request.substring(0, Math.min(80, request.length())))
                    .matches("(?s)HTTP/1.1 [45].*");
            assertThat(answer).doesNotContain("org.eclipse").doesNotContain("Exception");
        }
        assertThat(base.resolve("out/smuggled")).doesNotExist();
        server.get("/live").with(200);
    }

    @Test
    void bodiesThatAreTooLargeAreRefusedWithOrWithoutALength() throws IOException {
        for (HttpRequest.BodyPublisher body : List.of(
                HttpRequest.BodyPublishers.ofByteArray(new byte[65_537]),
                HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[65_537])))) {
            Served.Answer answer = server.send(
                    "/api/execute",
                    request ->
                            request.header("Content-Type", "application/json").POST(body));
            answer.with(413);
        }
        assertThat(client.answerToABodyOf(10 << 20)).startsWith("HTTP/1.1 413");
        server.get("/live").with(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "1",
                "{\"command\":1}",
                "{\"command\":\"\"}",
                "{\"command\":\"a\\u0000b\"}",
                "{\"command\":\"a\",\"command\":\"b\"}",
                "{\"comand\":\"a\"}",
                "{\"command\":\"a\"} x",
                "{\"command\":\"\\ud800\"}",
                "{\"command\":\"a\",\"timeout\":-1}",
                "{\"command\":\"a\",\"timeout\":1e999}",
                "{\"command\":\"a\",\"timeout\":\"1\"}",
                "{\"command\":\"a\",\"extra_env\":{\"A=B\":\"c\"}}",
                "{\"command\":\"a\",\"folder_guard\":{\"read_path\":[]}}",
                "{\"command\":\"a\",\"policy\":[]}"
            })
    void malformedRequestsAreRefused(String body) {
        assertThat(server.execute(body)
                        .with(400)
                        .json()
                        .path("error")
                        .path("message")
                        .asText())
                .isNotEmpty()
                .doesNotContain("\n", "com.fasterxml", "Exception");
    }

    @Test
    void deepJsonAndBrokenUtf8AreRefused() {
        server.execute("{\"policy\":" + "[".repeat(20_000) + "]".repeat(20_000) + "}")
                .with(400);
        server.send(
                        "/api/execute",
                        request -> request.header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofByteArray(
                                        new byte[] {'{', '"', (byte) 0xff, '"', '}'})))
                .with(400);
        assertThat(server.execute("{\"comand\":\"a\"}").body()).contains("did you mean command?");
    }

    @Test
    void manySilentConnectionsKeepNobodyOut() throws IOException {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 2_000; i++) {
                silent.add(client.connect());
                RawClient.write(
                        silent.get(i),
                        "POST /api/execute HTTP/1.1\r\nHost: localhost:"
                                + server.url().getPort() + "\r\nX-Drip: ");
            }
            server.get("/live").with(200);
            server.execute("{\"command\":\"true\"}").with(200);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void otherPathsAndMethodsAreNotServed() {
        server.get("/api/execute").with(405);
        server.get("/nothing").with(404);
        server.get("/page.html").with(404);
        server.get("/../etc/passwd").with(400);
    }
}
