package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

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
    private static final String TOKEN = "a-token-of-enough-length";

    @TempDir(factory = ShortTempDir.class)
    private static Path folder;

    private static Served server;

    @BeforeAll
    static void serve() throws IOException {
        Files.createDirectories(folder.resolve("base"));
        Files.writeString(folder.resolve("base/secret"), "kept\n");
        Path token = Files.writeString(folder.resolve("token"), TOKEN);
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        server = Served.from(folder, "--base-dir", "base", "--token-file", "token", "--backend", "landlock");
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
        for (String path : new String[] {"/api/processes", "/metrics", "/api/runs", "/api/explain?path=x", "/mcp"}) {
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
            browser.open(server.url().resolve("/"));
            browser.await("document.getElementById('health') && /healthy: steps run in/.test(health.textContent)");
            browser.await("!document.getElementById('token-section').hidden");
            browser.evaluate("document.getElementById('token').value = '" + TOKEN
                    + "'; document.querySelector('#token-form button').click()");
            browser.await("document.querySelectorAll('#guarantees tr').length > 10");
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
            browser.screenshot(Sandboxed.MODULE.resolve("target/page.png"));
            browser.evaluate("document.querySelector('#live button').focus(); document.activeElement.click()");
            client.join();
            browser.await("document.querySelectorAll('#live tr').length === 0");
            browser.await("/cancelled/.test(runs.textContent) && /read .*secret/.test(runs.textContent)");
            assertThat(browser.evaluate("document.title").asText()).isEqualTo("sandbox");
            accessible(browser);
        }
    }

    private static void accessible(Chromium browser) throws Exception {
        assertThat(browser.evaluate(
                                "[...document.querySelectorAll('input,select')].every(field => field.labels.length)")
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
