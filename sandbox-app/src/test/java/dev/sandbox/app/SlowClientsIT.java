package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many clients that want nothing but to be in the way. */
@Timeout(300)
@Tag("any-user")
final class SlowClientsIT {
    private static final String INITIALIZE =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
                    + "\"capabilities\":{},\"clientInfo\":{\"name\":\"many\",\"version\":\"1\"}}}";

    @TempDir
    private Path folder;

    @Test
    void manyConnectionsThatDripLeaveTheOthersServed() throws IOException {
        Path token = Files.writeString(folder.resolve("token"), "0123456789abcdef0123456789abcdef");
        assertThat(token.toFile().setReadable(false, false) && token.toFile().setReadable(true, true))
                .isTrue();
        Path base = Files.createDirectory(folder.resolve("base"));
        try (Served server = Served.from(base, "--token-file", token.toString(), "--max-connections", "200")) {
            RawClient client = new RawClient(server.url().getPort());
            List<Socket> slow = new ArrayList<>();
            try {
                for (int i = 0; i < 1200; i++) {
                    Socket socket = client.connect();
                    slow.add(socket);
                    RawClient.write(socket, "GET /live HTTP/1.1\r\nHost: ");
                    if (i % 100 == 99) {
                        assertThat(client.answerTo(
                                        "GET /live HTTP/1.1\r\nHost: localhost:" + client.port() + "\r\n\r\n"))
                                .startsWith("HTTP/1.1 200");
                    }
                }
            } finally {
                for (Socket socket : slow) {
                    socket.close();
                }
            }
        }
    }

    @Test
    void bodiesThatDripLeaveTheOthersServed() throws IOException {
        try (Served server = Served.from(folder, "--max-running", "2", "--max-waiting", "2")) {
            RawClient client = new RawClient(server.url().getPort());
            List<Socket> slow = new ArrayList<>();
            try {
                for (int i = 0; i < 200; i++) {
                    Socket socket = client.connect();
                    slow.add(socket);
                    RawClient.write(
                            socket,
                            "POST /api/execute HTTP/1.1\r\nHost: localhost:" + client.port()
                                    + "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{");
                }
                assertThat(client.answerTo("GET /live HTTP/1.1\r\nHost: localhost:" + client.port() + "\r\n\r\n"))
                        .startsWith("HTTP/1.1 200");
            } finally {
                for (Socket socket : slow) {
                    socket.close();
                }
            }
        }
    }

    @Test
    void manySessionsOfMcpEndAgain() {
        try (Served server = Served.from(folder)) {
            String first = begin(server);
            String last = first;
            for (int i = 0; i < 14_000; i++) {
                last = begin(server);
            }
            assertThat(ask(server, first).status()).isEqualTo(404);
            assertThat(ask(server, last).status()).isEqualTo(200);
            assertThat(server.get("/live").status()).isEqualTo(200);
        }
    }

    private static String begin(Served server) {
        return mcp(server, INITIALIZE, null)
                .with(200)
                .response()
                .headers()
                .firstValue("Mcp-Session-Id")
                .orElseThrow();
    }

    private static Served.Answer ask(Served server, String session) {
        return mcp(server, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}", session);
    }

    private static Served.Answer mcp(Served server, String message, @org.jspecify.annotations.Nullable String session) {
        return server.send("/mcp", request -> {
            HttpRequest.Builder asked = request.header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .POST(HttpRequest.BodyPublishers.ofString(message));
            return session == null ? asked : asked.header("Mcp-Session-Id", session);
        });
    }
}
