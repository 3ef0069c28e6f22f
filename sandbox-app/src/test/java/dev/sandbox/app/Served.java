package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** The packaged {@code bin/sandbox serve}, started on a free port as a user starts it, and a client for it. */
public final class Served implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PATIENCE_SECONDS = 60;

    private final Process process;
    private final URI url;
    private final HttpClient client = HttpClient.newHttpClient();
    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();

    private Served(Process process) throws IOException {
        this.process = process;
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String first = out.readLine();
        assertThat(first).as("the server's first line").isNotNull();
        this.url = URI.create(JSON.readTree(first).path("url").asText());
        Thread reader = new Thread(() -> follow(out), "server-log");
        reader.setDaemon(true);
        reader.start();
    }

    private void follow(BufferedReader out) {
        try {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                log.add(line);
            }
        } catch (IOException closed) {
            log.add("the log ended");
        }
    }

    /** Serves a folder. */
    public static Served from(Path folder, String... arguments) {
        return from(folder, Map.of(), arguments);
    }

    /** As {@link #from(Path, String...)}, with more variables. */
    public static Served from(Path folder, Map<String, String> environment, String... arguments) {
        try {
            List<String> command = new ArrayList<>(List.of(Sandboxed.PROGRAM.toString(), "serve", "--port", "0"));
            command.addAll(List.of(arguments));
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().clear();
            builder.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin");
            builder.environment().put("HOME", folder.toString());
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            builder.environment().putAll(environment);
            return new Served(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public URI url() {
        return url;
    }

    public Process process() {
        return process;
    }

    /** The next line of the access log that holds this text. */
    public String logged(String text) throws InterruptedException {
        String line;
        do {
            line = log.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(line).as("a line with %s", text).isNotNull();
        } while (!line.contains(text));
        return line;
    }

    /** An answer. */
    public record Answer(int status, String body, HttpResponse<String> response) {
        public JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** The result object. */
        public JsonNode data() {
            return json().path("data");
        }

        public String stdout() {
            return data().path("stdout").asText();
        }

        /** Fails with the whole answer unless it has this status. */
        public Answer with(int expected) {
            assertThat(status).as(body).isEqualTo(expected);
            return this;
        }
    }

    /** POST /api/execute. */
    public Answer execute(String body) {
        return send(
                "/api/execute",
                request -> request.header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /** As {@link #execute(String)}, with a key. */
    public Answer executeOnce(String key, String body) {
        return send(
                "/api/execute",
                request -> request.header("Content-Type", "application/json")
                        .header("Idempotency-Key", key)
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    public Answer get(String path) {
        return send(path, request -> request);
    }

    /** Any request. */
    public Answer send(String path, UnaryOperator<HttpRequest.Builder> how) {
        try {
            HttpResponse<String> response = client.send(
                    how.apply(HttpRequest.newBuilder(url.resolve(path))).build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body(), response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Asks until it holds; what is waited for is a state of the server, not a time. */
    public JsonNode await(String path, java.util.function.Predicate<JsonNode> state) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        JsonNode last;
        do {
            last = get(path).json();
            if (state.test(last)) {
                return last;
            }
        } while (System.nanoTime() < deadline);
        throw new AssertionError(path + " stayed " + last);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("ended by SIGTERM")
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
