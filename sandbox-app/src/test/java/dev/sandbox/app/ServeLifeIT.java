package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.inject.Guice;
import dev.sandbox.app.http.SandboxServer;
import dev.sandbox.app.http.ServerSettings;
import dev.sandbox.app.service.CurrentSandbox;
import dev.sandbox.app.service.SandboxHealth;
import dev.sandbox.core.SandboxModule;
import dev.sandbox.core.Sandboxes;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How servers start, refuse to, and end. */
@Timeout(180)
@Tag("any-user")
final class ServeLifeIT {
    private final ExecutorService many = Executors.newCachedThreadPool();

    @TempDir(factory = ShortTempDir.class)
    private Path folder;

    @AfterEach
    void endClients() {
        many.shutdownNow();
    }

    private static CompletableFuture<Served.Answer> running(Served server, String command) {
        CompletableFuture<Served.Answer> answer = CompletableFuture.supplyAsync(
                () -> server.execute("{\"command\":\"" + command + "\",\"folder_guard\":{\"write_paths\":[\".\"]}}"));
        server.await("/api/processes", live -> live.toString().contains(command));
        return answer;
    }

    @Test
    void afterSigtermARunningStepHasItsTimeAndTheServerEndsWithZero() throws Exception {
        Served server = Served.from(folder);
        CompletableFuture<Served.Answer> answer =
                running(server, "while [ ! -e go ]; do sleep 0.1; done; echo finished");
        server.process().destroy();
        server.await("/live", state -> true);
        Files.createFile(folder.resolve("go"));
        assertThat(answer.get(60, TimeUnit.SECONDS).with(200).stdout()).isEqualTo("finished\n");
        assertThat(server.process().waitFor()).isZero();
    }

    @Test
    void afterSigtermNewStepsAreToldToComeAgainAndHealthSaysSo() throws Exception {
        Served server = Served.from(folder);
        CompletableFuture<Served.Answer> answer = running(server, "while [ ! -e go ]; do sleep 0.1; done");
        server.process().destroy();
        server.await("/health", state -> state.path("status").asText().equals("degraded"));
        Served.Answer refused = server.execute("{\"command\":\"true\"}").with(503);
        assertThat(refused.response().headers().firstValue("Retry-After")).contains("1");
        assertThat(server.get("/health").with(503).response().headers().firstValue("Retry-After"))
                .contains("1");
        Files.createFile(folder.resolve("go"));
        answer.get(60, TimeUnit.SECONDS).with(200);
        assertThat(server.process().waitFor()).isZero();
    }

    @Test
    void aRequestWithAKeyRunsOnce() throws Exception {
        try (Served server = Served.from(folder, "--write", ".")) {
            String body =
                    "{\"command\":\"echo ran >> runs; touch begun; while [ ! -e go ]; do sleep 0.1; done; wc -l < runs\"}";
            CompletableFuture<Served.Answer> first =
                    CompletableFuture.supplyAsync(() -> server.executeOnce("a-key", body));
            server.await("/api/processes", state -> !state.path("processes").isEmpty());
            Served.Answer meanwhile = server.executeOnce("a-key", body).with(409);
            assertThat(meanwhile.response().headers().firstValue("Retry-After")).contains("1");
            Files.createFile(folder.resolve("go"));
            Served.Answer ran = first.get(60, TimeUnit.SECONDS).with(200);
            Served.Answer again = server.executeOnce("a-key", body).with(200);
            assertThat(again.body()).isEqualTo(ran.body());
            assertThat(again.response().headers().firstValue("Idempotency-Replayed"))
                    .contains("true");
            server.executeOnce("a-key", "{\"command\":\"true\"}").with(422);
            assertThat(server.executeOnce("another", body).with(200).stdout().strip())
                    .isEqualTo("2");
        }
    }

    @Test
    void whatDidNotRunMayBeAskedForAgain() {
        try (Served server = Served.from(folder)) {
            String body = "{\"command\":\"true\",\"policy\":{\"write_paths\":[\"w\"],\"on_missing\":\"refuse\"}}";
            server.executeOnce("k", body).with(400);
            Files.createDirectory(folder.resolve("w"));
            server.executeOnce("k", body).with(200);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aStepThatTakesLongerIsEndedAndTold() throws Exception {
        Served server = Served.from(folder, "--stop-timeout", "100ms");
        CompletableFuture<Served.Answer> answer = running(server, "sleep 298");
        server.process().destroy();
        assertThat(answer.get(60, TimeUnit.SECONDS)
                        .with(200)
                        .data()
                        .path("termination")
                        .asText())
                .isEqualTo("cancelled");
        assertThat(server.process().waitFor()).isZero();
    }

    @Test
    void aServerThatIsKilledLeavesNoStepRunningAndTheNextOneServes() throws Exception {
        Served server = Served.from(folder);
        CompletableFuture<Served.Answer> answer = running(server, "sleep 297 & sleep 297");
        JsonNode step = server.get("/api/processes").json().path("processes").path(0);
        ProcessHandle main = ProcessHandle.of(step.path("pid").longValue()).orElseThrow();
        server.process().destroyForcibly();
        main.onExit().get(60, TimeUnit.SECONDS);
        assertThat(answer).failsWithin(60, TimeUnit.SECONDS);
        try (Served next = Served.from(folder)) {
            next.execute("{\"command\":\"true\"}").with(200);
            assertThat(next.get("/api/processes").json().path("processes")).isEmpty();
        }
    }

    /** A missing path that is blocked has a placeholder on the host while a step runs, which only its server can take away. */
    @Test
    void theNextServerRemovesWhatAKilledOneLeft() throws Exception {
        Steps.assumeUsable(BackendName.MOUNTNS);
        Path placeholder = Files.createDirectory(folder.resolve("granted")).resolve("absent");
        String[] options = {"--backend", "mountns", "--write", "granted", "--block", "granted/absent"};
        Served server = Served.from(folder, options);
        CompletableFuture<Served.Answer> answer = running(server, "sleep 296");
        assertThat(placeholder).exists();
        server.process().destroyForcibly();
        assertThat(answer).failsWithin(60, TimeUnit.SECONDS);

        try (Served next = Served.from(folder, options)) {
            next.execute("{\"command\":\"true\"}").with(200);
        }

        assertThat(placeholder).doesNotExist();
    }

    @Test
    void tooManyAtOnceAreToldToComeAgain() throws Exception {
        try (Served server = Served.from(folder, "--max-running", "1", "--max-waiting", "0")) {
            CompletableFuture<Served.Answer> first = running(server, "while [ ! -e go ]; do sleep 0.1; done");
            Served.Answer second = server.execute("{\"command\":\"true\"}").with(429);
            assertThat(second.response().headers().firstValue("Retry-After")).contains("1");
            Files.createFile(folder.resolve("go"));
            first.get(60, TimeUnit.SECONDS).with(200);
        }
    }

    @Test
    void theTokenOfTheEnvironmentIsNotInheritedBySteps() {
        String token = "a-token-of-enough-length";
        try (Served server = Served.from(
                folder, Map.of("SANDBOX_API_TOKEN", token), "--pass-env", "SANDBOX_API_TOKEN", "--proc", "all")) {
            Served.Answer answer = server.send(
                    "/api/execute",
                    request -> request.header("Authorization", "Bearer " + token)
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(
                                    "{\"command\":\"env; cat /proc/[0-9]*/environ | tr '\\\\0' '\\\\n'; true\"}")));
            assertThat(answer.with(200).stdout()).contains("PATH=").doesNotContain(token);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--host 0.0.0.0, SANDBOX_UNAVAILABLE: --host: ",
        "--token-file absent, SANDBOX_UNAVAILABLE: --token-file: ",
        "--token-file open, SANDBOX_UNAVAILABLE: --token-file: ",
        "--token-file closed, SANDBOX_UNAVAILABLE: --token-file: ",
        "--port 99999, 'USAGE: --port: \"99999\" is not '",
        "--host=, USAGE: --host: is empty",
        "--max-body 0, 'USAGE: --max-body: \"0\" is not a size'",
        "--server-config config.yaml, USAGE: config.yaml: prot: is not a key; did you mean port?",
        "--server-config port.yaml, 'USAGE: port.yaml: port: \"x\" is not '",
        "--block-write a --write a/b, POLICY_INVALID: write_paths[0]",
        "--allow-outside absent, SANDBOX_UNAVAILABLE: --allow-outside: "
    })
    void whatCannotBeServedIsOneLineAndNothingListens(String arguments, String beginning) throws IOException {
        Files.writeString(folder.resolve("open"), "a-token-of-enough-length");
        Files.setPosixFilePermissions(folder.resolve("open"), PosixFilePermissions.fromString("rw-r--r--"));
        Files.writeString(folder.resolve("closed"), "a-token-of-enough-length");
        Files.setPosixFilePermissions(folder.resolve("closed"), PosixFilePermissions.fromString("rw-------"));
        Files.writeString(folder.resolve("config.yaml"), "prot: 1\n");
        Files.writeString(folder.resolve("port.yaml"), "port: x\n");
        Sandboxed.from(folder).run(("serve " + arguments).split(" ")).refused(beginning);
    }

    @Test
    void flagsWinOverVariablesOverTheFileOverDefaultsAndSecretsAreMasked() throws IOException {
        Files.writeString(
                folder.resolve("s.yaml"), "port: 1001\nmax_running: 3\nmax_waiting: 4\nallowed_host: [a, b]\n");
        String printed = Sandboxed.from(folder)
                .with("SANDBOX_MAX_RUNNING", "5")
                .with("SANDBOX_MAX_WAITING", "6")
                .with("SANDBOX_API_TOKEN", "a-token-of-enough-length")
                .run("serve", "--server-config", "s.yaml", "--max-waiting", "7", "--print-config")
                .ended(0)
                .out();
        assertThat(printed)
                .contains(
                        "port: 1001 # s.yaml", "max_running: 5 # SANDBOX_MAX_RUNNING", "max_waiting: 7 # --max-waiting")
                .contains("allowed_host: [a, b] # s.yaml", "host: 127.0.0.1 # default", "# token: ********")
                .doesNotContain("a-token");
    }

    @Test
    void whereNoBackendStandsHealthIsDegradedAndNothingRuns() throws Exception {
        SandboxPolicy policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(folder.toString()))
                .addWritePaths(".")
                .build();
        try (SandboxServer server = SandboxServer.start(
                ServerSettings.builder().port(0).build(),
                policy,
                ServeLifeIT::nothing,
                "test",
                new PrintStream(PrintStream.nullOutputStream()))) {
            HttpClient client = HttpClient.newHttpClient();
            HttpResponse<String> health = client.send(
                    HttpRequest.newBuilder(URI.create(server.url() + "/health")).build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(health.body())
                    .contains("\"status\":\"degraded\"", "\"available\":false")
                    .doesNotContain(folder.toString());
            HttpResponse<String> refused = client.send(
                    HttpRequest.newBuilder(URI.create(server.url() + "/api/execute"))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString("{\"command\":\"touch ran\"}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("SANDBOX_UNAVAILABLE");
            assertThat(folder.resolve("ran")).doesNotExist();
        }
    }

    @Test
    void whatCameToStandMeanwhileIsProvedAgainAndServes() {
        SandboxPolicy policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(folder.toString()))
                .build();
        AtomicBoolean stands = new AtomicBoolean();
        AtomicLong now = new AtomicLong();
        CurrentSandbox sandbox = new CurrentSandbox(() -> stands.get() ? Sandboxes.standard(Map.of()) : nothing());
        SandboxHealth health = new SandboxHealth(sandbox, policy, now::get);
        assertThat(health.state().isAvailable()).isFalse();
        stands.set(true);
        assertThat(health.state().isAvailable()).as("remembered").isFalse();
        now.addAndGet(TimeUnit.SECONDS.toNanos(3));
        assertThat(health.state().isAvailable()).isTrue();
        assertThat(sandbox.get().run(policy, Command.shell("exit 3")).exitCode())
                .isEqualTo(3);
        stands.set(false);
        now.addAndGet(TimeUnit.SECONDS.toNanos(29));
        assertThat(health.state().isAvailable()).as("remembered").isTrue();
        now.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertThat(health.state().isAvailable()).isFalse();
    }

    @Test
    void manyClientsAtOnceAreServedOrToldToComeAgainAndNothingIsLeftOpen() {
        try (Served server = Served.from(folder, "--max-running", "4", "--max-waiting", "8")) {
            for (int round = 0; round < 2; round++) {
                List<CompletableFuture<Served.Answer>> answers = IntStream.range(0, 200)
                        .mapToObj(i ->
                                CompletableFuture.supplyAsync(() -> server.execute("{\"command\":\"true\"}"), many))
                        .toList();
                assertThat(answers)
                        .extracting(answer -> answer.join().status())
                        .containsOnly(200, 429)
                        .contains(200);
                server.await("/api/processes", live -> live.path("processes").isEmpty());
            }
            assertThat(open(server)).isLessThan(600);
            assertThat(server.get("/metrics").body()).contains("sandbox_steps_live 0.0", "sandbox_steps_waiting 0.0");
        }
    }

    private static double open(Served server) {
        return server.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("process_files_open_files "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    private static StandardSandbox nothing() {
        return Guice.createInjector(new SandboxModule(Map.of())).getInstance(StandardSandbox.class);
    }
}
