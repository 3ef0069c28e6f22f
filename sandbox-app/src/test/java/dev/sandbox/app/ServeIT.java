package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One server without a token: what its requests may do, and what they may not. */
@Timeout(120)
final class ServeIT {
    private static final String GUARD =
            ",\"folder_guard\":{\"enabled\":true,\"read_paths\":[\"in\"],\"write_paths\":[\"out\"]}}";

    @TempDir(factory = ShortTempDir.class)
    private static Path folder;

    private static Path base;
    private static Served server;

    @BeforeAll
    static void serve() throws IOException {
        base = Files.createDirectories(folder.resolve("base"));
        Files.createDirectories(base.resolve("in"));
        Files.createDirectories(base.resolve("out"));
        Files.createDirectories(base.resolve("kept"));
        Files.writeString(base.resolve("in/f"), "allowed\n");
        Files.writeString(base.resolve("kept/secret"), "kept\n");
        Files.writeString(folder.resolve("outside"), "outside\n");
        Files.createSymbolicLink(base.resolve("in/escape"), folder.resolve("outside"));
        Files.createSymbolicLink(base.resolve("out/away"), folder);
        server = Served.from(
                folder,
                Map.of("DOCKER_HOST", "unix:///nonexistent/docker.sock"),
                "--base-dir",
                "base",
                "--read",
                "in",
                "--max-output",
                "1MiB",
                "--memory",
                "1GiB",
                "--max-body",
                "64KiB");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Served.Answer run(String command) {
        return server.execute("{\"command\":\"" + command + "\"" + GUARD);
    }

    @Test
    void anAllowedFileIsRead() {
        Served.Answer answer = run("cat in/f").with(200);
        assertThat(answer.stdout()).isEqualTo("allowed\n");
        assertThat(answer.json().path("success").booleanValue()).isTrue();
        assertThat(answer.json().path("error").isNull()).isTrue();
        assertThat(answer.data().path("exit_code").intValue()).isZero();
    }

    @Test
    void anAllowedOutputFileIsWritten() {
        run("echo written > out/result").with(200);
        assertThat(base.resolve("out/result")).hasContent("written\n");
    }

    @Test
    void aReadOnlyPathRejectsWrites() {
        Served.Answer answer = run("echo x > in/f").with(200);
        assertThat(answer.data().path("exit_code").intValue()).isNotZero();
        assertThat(answer.data().path("denials").toString()).contains("in/f");
        assertThat(base.resolve("in/f")).hasContent("allowed\n");
    }

    @Test
    void anUngrantedPathIsUnreadable() {
        Served.Answer answer = run("cat kept/secret").with(200);
        assertThat(answer.stdout()).isEmpty();
        assertThat(answer.data().path("exit_code").intValue()).isNotZero();
    }

    @Test
    void anEscapeByALinkIsUnreadable() {
        assertThat(run("cat in/escape").with(200).stdout()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "../base", "in/../..", "/", "/etc", "out/away"})
    void aWorkingDirectoryOutsideIsRefused(String directory) {
        Served.Answer answer =
                server.execute("{\"command\":\"touch out/ran\",\"working_directory\":\"" + directory + "\"" + GUARD);
        assertThat(answer.with(400).json().path("error").path("code").asText()).isEqualTo("POLICY_INVALID");
        assertThat(base.resolve("out/ran")).doesNotExist();
    }

    @Test
    void aTimeoutIsToldWithTheOutputSoFar() {
        Served.Answer answer = server.execute(
                        "{\"command\":\"echo so far; echo err >&2; sleep 60\",\"timeout\":1" + GUARD)
                .with(408);
        assertThat(answer.stdout()).isEqualTo("so far\n");
        assertThat(answer.data().path("exit_code").intValue()).isEqualTo(-1);
        assertThat(answer.data().path("stderr").asText())
                .startsWith("TIMEOUT: Command killed after 1 seconds")
                .contains("err\n");
    }

    @Test
    void withoutPathsOfItsOwnARequestRunsUnderTheDefaultPolicy() {
        Served.Answer answer = server.execute("{\"command\":\"cat in/f; cat kept/secret; echo x > out/no\"}")
                .with(200);
        assertThat(answer.stdout()).isEqualTo("allowed\n");
        assertThat(base.resolve("out/no")).doesNotExist();
        Served.Answer disabled = server.execute(
                "{\"command\":\"cat in/f kept/secret\",\"folder_guard\":{\"enabled\":false,\"write_paths\":[\"/\"]}}");
        assertThat(disabled.with(200).stdout()).isEqualTo("allowed\n");
        assertThat(disabled.data().path("notes").toString()).contains("folder_guard: not enabled");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"command\":\"touch out/wide\",\"folder_guard\":{\"read_paths\":[\"/etc\"]}}",
                "{\"command\":\"touch out/wide\",\"folder_guard\":{\"write_paths\":[\"out\",\"out/away\"]}}",
                "{\"command\":\"touch out/wide\",\"folder_guard\":{\"write_paths\":[\"../base/out\"]}}",
                "{\"command\":\"touch out/wide\",\"policy\":{\"write_paths\":[\"out\"],\"base_dir\":\"/\"}}",
                "{\"command\":\"touch out/wide\",\"policy\":{\"write_paths\":[\"out\"],\"extra_system_paths\":[\"/root\"]}}",
                "{\"command\":\"touch out/wide\",\"policy\":{\"write_paths\":[\"out\"],\"limits\":{\"memory\":\"2GiB\"}}}",
                "{\"command\":\"touch out/wide\",\"policy\":{\"write_paths\":[\"out\"],\"limits\":{\"output\":\"2MiB\"}}}",
                "{\"command\":\"touch out/wide\",\"policy\":{\"write_paths\":[\"out\"],\"proc\":\"all\"}}",
                "{\"command\":\"touch out/wide\",\"policy\":{\"write_paths\":[\"out\"],\"home\":\"inherit\"}}",
                "{\"command\":\"touch out/wide\",\"policy\":{\"write_paths\":[\"out\"],\"tmp\":\"host\"}}",
                "{\"command\":\"touch out/wide\",\"policy\":{\"write_paths\":[\"out\"],\"environment\":{\"pass\":[\"X\"]}}}",
                "{\"command\":\"touch out/wide\",\"policy\":{\"write_paths\":[\"out\"],\"run_as\":\"0\"}}",
                "{\"command\":\"touch out/wide\",\"policy\":{\"write_paths\":[\"out\"],\"image\":\"x\"}}",
                "{\"command\":\"touch out/wide\",\"policy\":{\"write_path\":[\"out\"]}}",
                "{\"command\":\"touch out/wide\",\"timeout\":3601,\"folder_guard\":{\"write_paths\":[\"out\"]}}"
            })
    void nothingOfTheServersPolicyCanBeWidened(String body) {
        Served.Answer answer = server.execute(body).with(400);
        assertThat(answer.json().path("error").path("code").asText()).isEqualTo("POLICY_INVALID");
        assertThat(base.resolve("out/wide")).doesNotExist();
        assertThat(folder.resolve("wide")).doesNotExist();
    }

    @Test
    void aPolicyNarrows() {
        Served.Answer answer = server.execute(
                        "{\"command\":\"exec 3<>/dev/tcp/127.0.0.1/1; cat in/f; ulimit -n\","
                                + "\"policy\":{\"network\":\"none\",\"limits\":{\"open_files\":64,\"timeout\":\"5s\",\"cpu_time\":\"3s\"}}}")
                .with(200);
        assertThat(answer.data()
                        .path("receipt")
                        .path("limits")
                        .path("timeout_ms")
                        .intValue())
                .isEqualTo(5000);
        assertThat(answer.data()
                        .path("receipt")
                        .path("limits")
                        .path("open_files")
                        .intValue())
                .isEqualTo(64);
        assertThat(answer.data()
                        .path("receipt")
                        .path("limits")
                        .path("cpu_time_ms")
                        .intValue())
                .isEqualTo(3000);
        assertThat(answer.data().path("guarantees").toString()).contains("net.none");
    }

    @Test
    void variablesAreAcceptedByNameAndTheOthersAreNoted() {
        Served.Answer answer = server.execute("{\"command\":\"echo $STEP_A,$LD_PRELOAD,$FOO\",\"extra_env\":"
                        + "{\"STEP_A\":\"1\",\"LD_PRELOAD\":\"x\",\"FOO\":\"2\",\"PATH\":\"/x\"}}")
                .with(200);
        assertThat(answer.stdout()).isEqualTo("1,,\n");
        assertThat(answer.data().path("notes").toString()).contains("dropped FOO, LD_PRELOAD, PATH");
    }

    @Test
    void noBackendMeansNothingRuns() {
        Served.Answer answer = server.execute("{\"command\":\"touch out/unsandboxed\",\"policy\":"
                        + "{\"write_paths\":[\"out\"],\"backend\":\"docker\"}}")
                .with(503);
        assertThat(answer.json().path("error").path("code").asText()).isEqualTo("SANDBOX_UNAVAILABLE");
        assertThat(base.resolve("out/unsandboxed")).doesNotExist();
    }

    @Test
    void healthIsThePreflightOfTheBackendThatServes() {
        JsonNode health = server.get("/health").with(200).json();
        assertThat(health.path("status").asText()).isEqualTo("healthy");
        assertThat(health.path("shell_sandbox").path("detail").asText()).contains("preflight passed");
        assertThat(server.send("/health", request -> request.method("HEAD", HttpRequest.BodyPublishers.noBody()))
                        .with(200)
                        .body())
                .isEmpty();
        assertThat(server.get("/live").with(200).json().path("status").asText()).isEqualTo("live");
    }

    @Test
    void aLiveStepIsListedAndKilledWithItsTree() throws Exception {
        Thread client = new Thread(() -> run("sleep 314 & sleep 314"));
        client.start();
        JsonNode step = server.await("/api/processes", live -> live.toString().contains("sleep 314"))
                .path("processes")
                .path(0);
        long pid = step.path("pid").longValue();
        assertThat(ProcessHandle.of(pid)).isPresent();
        server.send("/api/processes/" + step.path("id"), HttpRequest.Builder::DELETE)
                .with(200);
        client.join();
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        server.send("/api/processes/" + step.path("id"), HttpRequest.Builder::DELETE)
                .with(404);
        server.send("/api/processes/x", HttpRequest.Builder::DELETE).with(404);
    }

    @Test
    void outputIsStreamedAsEvents() {
        Served.Answer answer = server.send(
                        "/api/execute?stream=true",
                        request -> request.header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        "{\"command\":\"printf '\\\\303'; printf '\\\\251'; echo err >&2; exit 3\"}")))
                .with(200);
        assertThat(answer.response().headers().firstValue("Content-Type").orElse(""))
                .startsWith("text/event-stream");
        assertThat(answer.body())
                .contains("event: stdout\ndata: {\"text\":\"\u00e9\"}")
                .contains("event: stderr\ndata: {\"text\":\"err\\n\"}")
                .contains("event: result\ndata: {\"success\":true")
                .contains("\"exit_code\":3");
        assertThat(server.send(
                                "/api/execute",
                                request -> request.header("Accept", "text/event-stream")
                                        .header("Content-Type", "application/json")
                                        .POST(HttpRequest.BodyPublishers.ofString(
                                                "{\"command\":\"true\",\"timeout\":9999}")))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void noHeaderChangesTheMethodOfARequest() {
        for (String header : List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override")) {
            server.send(
                            "/api/execute",
                            request -> request.header(header, "POST").GET())
                    .with(400);
            server.send("/live", request -> request.header(header, "DELETE").GET())
                    .with(400);
        }
    }

    @Test
    void aSlowReaderOfAStreamHoldsBackItsStepAndGetsAllOfIt() throws IOException {
        long size = 40_000_000;
        String body = "{\"command\":\"head -c " + size + " /dev/zero | tr '\\\\0' x; touch whole\",\"timeout\":50}";
        try (Socket socket = new RawClient(server.url().getPort()).connect()) {
            RawClient.write(
                    socket,
                    "POST /api/execute?stream=true HTTP/1.1\r\nHost: localhost:"
                            + server.url().getPort()
                            + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n"
                            + body);
            server.await("/api/processes", live -> live.toString().contains("touch whole"));
            // Others are served meanwhile, and it cannot have come to its end: nobody has read anything.
            for (int i = 0; i < 20; i++) {
                assertThat(server.execute("{\"command\":\"ls\"}").with(200).stdout())
                        .doesNotContain("whole");
            }
            long letters = 0;
            BufferedReader events =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            for (String line = events.readLine(); !line.startsWith("event: result"); line = events.readLine()) {
                letters += line.chars().filter(c -> c == 'x').count() - (line.contains("\"text\"") ? 1 : 0);
            }
            assertThat(letters).isGreaterThanOrEqualTo(size).isLessThan(size + 100);
        }
    }

    @Test
    void aClientOfAStreamThatGoesAwayEndsItsStep() throws IOException {
        try (Socket socket = new RawClient(server.url().getPort()).connect()) {
            String body = "{\"command\":\"echo said; sleep 271\"}";
            RawClient.write(
                    socket,
                    "POST /api/execute?stream=true HTTP/1.1\r\nHost: localhost:"
                            + server.url().getPort()
                            + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n"
                            + body);
            server.await("/api/processes", live -> live.toString().contains("sleep 271"));
        }
        server.await("/api/processes", live -> !live.toString().contains("sleep 271"));
    }

    @Test
    void curlIsServed() throws Exception {
        Process curl = new ProcessBuilder(
                        "curl",
                        "-sS",
                        "-i",
                        "-H",
                        "Content-Type: application/json",
                        "-H",
                        "X-Request-Id: mine-1",
                        server.url() + "/api/execute",
                        "-d",
                        "{\"command\":\"echo $((6*7))\"}")
                .redirectErrorStream(true)
                .start();
        String said = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).startsWith("HTTP/1.1 200").contains("X-Request-Id: mine-1", "\"stdout\":\"42\\n\"");
        assertThat(said.toLowerCase(java.util.Locale.ROOT))
                .doesNotContain("jetty")
                .doesNotContain("server:");
    }

    @Test
    void theAccessLogHoldsNoCommandAndNoVariable() throws InterruptedException {
        server.send(
                        "/api/execute?secret=query-secret",
                        request -> request.header("Content-Type", "application/json")
                                .header("X-Request-Id", "logged-1")
                                .POST(
                                        HttpRequest.BodyPublishers.ofString(
                                                "{\"command\":\"echo command-secret\",\"extra_env\":{\"VAR_X\":\"value-secret\"}}")))
                .with(200);
        assertThat(server.logged("logged-1"))
                .contains("\"status\":200", "\"termination\":\"exited\"", "\"path\":\"/api/execute\"")
                .doesNotContain("secret");
    }

    @Test
    void anIdThatIsNoneIsReplaced() {
        Served.Answer answer = server.send("/live", request -> request.header("X-Request-Id", "a b\"c"));
        assertThat(answer.response().headers().firstValue("X-Request-Id").orElse(""))
                .matches("[0-9a-f-]{36}");
    }

    @Test
    void metricsCountRunsDenialsAndRefusals() {
        run("echo x > in/new").with(200);
        server.execute("{}").with(400);
        assertThat(server.get("/metrics").with(200).body())
                .containsPattern("sandbox_runs_total\\{backend=\"[a-z]+\",termination=\"exited\"\\} [1-9]")
                .contains("sandbox_denials_total{operation=\"", "sandbox_refusals_total{code=\"BAD_REQUEST\"}")
                .contains("sandbox_run_duration_seconds_bucket", "sandbox_steps_live", "sandbox_steps_waiting");
    }

    @Test
    void theStatusRoutesTellWhatThePageShows() {
        run("cat kept/secret").with(200);
        assertThat(server.get("/api/runs").with(200).body()).contains("cat kept/secret", "\"denials\":[{");
        assertThat(server.get("/api/guarantees")
                        .with(200)
                        .json()
                        .path("backends")
                        .findValuesAsText("name"))
                .contains("landlock", "mountns", "docker");
        JsonNode verdict = server.get("/api/explain?path=kept/secret&operation=write")
                .with(200)
                .json();
        assertThat(verdict.path("allowed").booleanValue()).isFalse();
        assertThat(verdict.path("fix").asText()).contains("write_paths");
        server.get("/api/explain?path=x&operation=reed").with(400);
        server.get("/api/explain").with(400);
    }
}
