package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with a token, and its page in a real browser. */
@Timeout(180)
final class ServePageIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TOKEN = "a-token-of-enough-length";

    @TempDir(factory = ShortTempDir.class)
    private static Path folder;

    private static Served server;

    @BeforeAll
    static void serve() throws IOException {
        Files.createDirectories(folder.resolve("base/in"));
        Files.writeString(folder.resolve("base/secret"), "kept\n");
        Path token = Files.writeString(folder.resolve("token"), TOKEN);
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        server = Served.from(
                folder, "--base-dir", "base", "--read", "in", "--token-file", "token", "--backend", "landlock");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Served.Answer authorized(String path, String token) {
        return server.send(path, request -> request.header("Authorization", "Bearer " + token));
    }

    private static Thread running(String command) {
        Thread client = new Thread(() -> server.send(
                "/api/execute",
                request -> request.header("Authorization", "Bearer " + TOKEN)
                        .header("Content-Type", "application/json")
                        .POST(java.net.http.HttpRequest.BodyPublishers.ofString("{\"command\":\"" + command + "\"}"))));
        client.start();
        return client;
    }

    @Test
    void onlyTheTokenOpensWhatTellsSomething() throws IOException {
        for (String path :
                new String[] {"/api/processes", "/metrics", "/api/runs", "/api/policy", "/api/explain?path=x", "/mcp"
                }) {
            assertThat(server.get(path).with(401).response().headers().firstValue("WWW-Authenticate"))
                    .contains("Bearer");
            authorized(path, TOKEN + "x").with(401);
        }
        authorized("/api/processes", TOKEN).with(200);
        server.get("/health").with(200);
        server.execute("{\"command\":\"true\"}").with(401);
        String second = "another-token-of-enough-length";
        Files.writeString(folder.resolve("token"), second);
        authorized("/api/processes", TOKEN).with(401);
        authorized("/api/processes", second).with(200);
        Files.writeString(folder.resolve("token"), TOKEN);
        authorized("/api/processes", TOKEN).with(200);
    }

    @Test
    void thePageShowsHealthKillsAStepAndExplains() throws Exception {
        try (Chromium browser = Chromium.start(Files.createDirectories(folder.resolve("browser")))) {
            open(browser);
            assertThat(browser.evaluate("sessionStorage.getItem('sandbox-token')")
                            .asText())
                    .isEqualTo(TOKEN);
            assertThat(browser.evaluate("localStorage.length").intValue()).isZero();

            Thread client = running("cat secret; echo '<img src=x onerror=document.title=1>'; sleep 299");
            browser.await("document.querySelector('#live button')");
            assertThat(browser.evaluate("document.querySelectorAll('#live img').length")
                            .intValue())
                    .isZero();
            browser.evaluate("document.getElementById('path').value = 'secret';"
                    + "document.querySelector('#explain-form button').click()");
            browser.await("/denied: no grant covers it; to allow it: read_paths/.test(verdict.textContent)");
            browser.evaluate("document.querySelector('#live button').focus(); document.activeElement.click()");
            client.join();
            browser.await("document.querySelectorAll('#live tr').length === 0");
            browser.await("/cancelled/.test(runs.textContent) && /read .*secret/.test(runs.textContent)");
            assertThat(browser.evaluate("document.title").asText()).isEqualTo("sandbox");
            accessible(browser);
        }
    }

    private static void open(Chromium browser) throws Exception {
        browser.open(server.url().resolve("/"));
        browser.await("document.getElementById('health') && /healthy: steps run in/.test(health.textContent)");
        browser.await("!document.getElementById('token-section').hidden");
        browser.evaluate("document.getElementById('token').value = '" + TOKEN
                + "'; document.querySelector('#token-form button').click()");
        browser.await("document.querySelectorAll('#guarantees tr').length > 10");
    }

    private static void run(Chromium browser, String command, String timeout) throws Exception {
        browser.evaluate("document.getElementById('command').value = " + JSON.writeValueAsString(command)
                + "; document.getElementById('timeout').value = '" + timeout
                + "'; document.getElementById('run').click()");
    }

    @Test
    void aCommandRunsUnderTheDefaultPolicyAndReadsWellInEveryWindow() throws Exception {
        try (Chromium browser = Chromium.start(Files.createDirectories(folder.resolve("runs")))) {
            open(browser);
            assertThat(browser.evaluate("policy.innerText").asText())
                    .contains(
                            "read\t" + folder.resolve("base/in") + "\tread_paths[0]",
                            "network\ton",
                            "time 60 s (at most 3600 s)");

            run(browser, "cat secret; echo '<img src=x onerror=document.title=1>'; echo wrong >&2; exit 3", "");
            browser.await("/exited with 3 after .* in landlock/.test(end.textContent)");
            assertThat(browser.evaluate("stdout.textContent").asText())
                    .isEqualTo("<img src=x onerror=document.title=1>\n");
            assertThat(browser.evaluate("stderr.textContent").asText()).contains("wrong\n");
            assertThat(browser.evaluate("denials.textContent").asText())
                    .contains("read " + folder.resolve("base/secret"), "to allow it: read_paths");
            browser.await("/exited with 3/.test(runs.textContent)");
            for (String scheme : new String[] {"light", "dark"}) {
                for (int width : new int[] {360, 1200}) {
                    browser.show(width, scheme);
                    browser.screenshot(Sandboxed.MODULE.resolve("target/page-" + scheme + "-" + width + ".png"));
                    PageLayout.require(browser);
                }
            }
            accessible(browser);

            run(browser, "sleep 299", "1");
            browser.await("/timed out after/.test(end.textContent) && /timed out/.test(runs.textContent)");
            assertThat(authorized("/api/runs", TOKEN)
                            .with(200)
                            .json()
                            .at("/runs/0/exit_code")
                            .intValue())
                    .isEqualTo(-1);

            run(browser, "echo begun; sleep 299", "");
            browser.await("stdout.textContent === 'begun\\n' && document.querySelector('#live button')");
            browser.evaluate("document.getElementById('stop').click()");
            browser.await("end.textContent === 'stopped'");
            browser.await("document.querySelectorAll('#live tr').length === 0");
        }
    }

    private static void accessible(Chromium browser) throws Exception {
        assertThat(browser.evaluate(
                                "[...document.querySelectorAll('input,select,textarea')].every(field => field.labels.length)")
                        .booleanValue())
                .isTrue();
        assertThat(browser.evaluate(
                                "document.querySelectorAll('main').length === 1 && document.documentElement.lang === 'en'"
                                        + " && [...document.querySelectorAll('section')].every(part => part.getAttribute('aria-labelledby'))")
                        .booleanValue())
                .isTrue();
    }

    @Test
    void thePageTakesNothingFromOutside() {
        String policy = server.get("/")
                .with(200)
                .response()
                .headers()
                .firstValue("Content-Security-Policy")
                .orElse("");
        assertThat(policy)
                .startsWith("default-src 'none'; script-src 'self';")
                .contains("frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(server.get("/page.js").with(200).body()).doesNotContain("innerHTML", "insertAdjacentHTML", "http:");
        assertThat(server.get("/").body()).doesNotContain("http:", "https:");
    }
}
