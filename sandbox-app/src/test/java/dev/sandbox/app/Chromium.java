package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Headless Chromium with one page, by the DevTools protocol. */
final class Chromium implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PATIENCE_SECONDS = 60;

    private final Process process;
    private final WebSocket socket;
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final String session;
    private int lastId;

    private Chromium(Process process) throws IOException, InterruptedException {
        this.process = process;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create(address(process)), new Gathering())
                .join();
        String target = send("Target.createTarget", Map.of("url", "about:blank"), null)
                .path("targetId")
                .asText();
        this.session = send("Target.attachToTarget", Map.of("targetId", target, "flatten", true), null)
                .path("sessionId")
                .asText();
        call("Page.enable", Map.of());
    }

    /** Starts it with a profile in this folder. */
    static Chromium start(Path folder) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--window-size=1200,1000",
                "--remote-debugging-port=0",
                "--user-data-dir=" + folder.resolve("profile"));
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        return new Chromium(builder.redirectErrorStream(true).start());
    }

    private static String address(Process process) throws IOException {
        BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String beginning = "DevTools listening on ";
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith(beginning)) {
                Thread rest = new Thread(() -> drain(said), "chromium-log");
                rest.setDaemon(true);
                rest.start();
                return line.substring(beginning.length()).trim();
            }
        }
        throw new IOException("chromium ended");
    }

    private static void drain(BufferedReader said) {
        try {
            while (said.read() >= 0) {
                // A full pipe would stop it.
            }
        } catch (IOException ended) {
            return;
        }
    }

    private final class Gathering implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                messages.add(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    private JsonNode send(String method, Map<String, Object> parameters, @Nullable String to)
            throws IOException, InterruptedException {
        int id = ++lastId;
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", JSON.valueToTree(parameters));
        if (to != null) {
            message.put("sessionId", to);
        }
        socket.sendText(message.toString(), true).join();
        while (true) {
            String said = messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(said).as("an answer to " + method).isNotNull();
            JsonNode answer = JSON.readTree(said);
            if (answer.path("id").asInt() == id) {
                assertThat(answer.path("error").isMissingNode()).as(said).isTrue();
                return answer.path("result");
            }
        }
    }

    private JsonNode call(String method, Map<String, Object> parameters) throws IOException, InterruptedException {
        return send(method, parameters, session);
    }

    void open(URI page) throws IOException, InterruptedException {
        call("Page.navigate", Map.of("url", page.toString()));
    }

    /** The value of an expression in the page; a promise is waited for. */
    JsonNode evaluate(String expression) throws IOException, InterruptedException {
        JsonNode result = call(
                "Runtime.evaluate",
                Map.of("expression", expression, "returnByValue", true, "awaitPromise", true, "userGesture", true));
        assertThat(result.path("exceptionDetails").isMissingNode())
                .as(result.toString())
                .isTrue();
        return result.path("result").path("value");
    }

    /** Waits for a state of the page. */
    void await(String condition) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!evaluate("Boolean(" + condition + ")").booleanValue()) {
            assertThat(System.nanoTime())
                    .as(condition + " in " + evaluate("document.body.innerText"))
                    .isLessThan(deadline);
        }
    }

    /** Shows the page as a window of this width and this {@code prefers-color-scheme} does. */
    void show(int width, String scheme) throws IOException, InterruptedException {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 1000, "deviceScaleFactor", 1, "mobile", false));
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Keeps a picture of the page. */
    void screenshot(Path file) throws IOException, InterruptedException {
        String picture = call("Page.captureScreenshot", Map.of("captureBeyondViewport", true))
                .path("data")
                .asText();
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(picture));
    }

    @Override
    public void close() {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }
}
