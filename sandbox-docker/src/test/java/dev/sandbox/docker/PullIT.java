package dev.sandbox.docker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pulling, from a registry of the test's own on the loopback, which an engine trusts without TLS. */
@Tag("any-user")
class PullIT {
    private static final String MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";
    private static final byte[] EMPTY_TAR = new byte[1024];

    @SuppressWarnings("NullAway.Init")
    private HttpServer registry;

    @BeforeEach
    void serveAnImage() throws IOException {
        assumeTrue(TestBackend.of(DockerBackendIT.IMAGE).assess().isUsable(), "needs a container engine");
        byte[] layer = gzip(EMPTY_TAR);
        byte[] config =
                ("{\"architecture\":\"amd64\",\"os\":\"linux\",\"config\":{},\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[\""
                                + digest(EMPTY_TAR) + "\"]}}")
                        .getBytes(UTF_8);
        byte[] manifest = ("{\"schemaVersion\":2,\"mediaType\":\"" + MANIFEST + "\",\"config\":"
                        + descriptor("application/vnd.docker.container.image.v1+json", config) + ",\"layers\":["
                        + descriptor("application/vnd.docker.image.rootfs.diff.tar.gzip", layer) + "]}")
                .getBytes(UTF_8);
        Map<String, byte[]> answers = Map.of(
                "/v2/",
                "{}".getBytes(UTF_8),
                "/v2/pulled/manifests/latest",
                manifest,
                "/v2/pulled/manifests/" + digest(manifest),
                manifest,
                "/v2/pulled/blobs/" + digest(config),
                config,
                "/v2/pulled/blobs/" + digest(layer),
                layer);
        registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        registry.createContext("/", exchange -> answer(exchange, answers));
        registry.start();
    }

    @AfterEach
    void stop() {
        if (registry != null) {
            registry.stop(0);
        }
    }

    @Test
    void anImageIsPulledOnceAndOnlyWhenAsked() throws IOException {
        String image = "127.0.0.1:" + registry.getAddress().getPort() + "/pulled";
        Engine engine = Engine.connect();
        assertThat(engine.findImage(image)).isEmpty();
        ContainerEngine.connect().provide(image);
        assertThat(engine.findImage(image)).isPresent();
        registry.stop(0);
        ContainerEngine.connect().provide(image);
        Containers.removeImage(image);
        assertThatThrownBy(() -> ContainerEngine.connect().provide(image))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("pull " + image);
    }

    private static void answer(HttpExchange exchange, Map<String, byte[]> answers) throws IOException {
        String path = exchange.getRequestURI().getPath();
        byte[] body = answers.getOrDefault(path, new byte[0]);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.getResponseHeaders().add("Docker-Content-Digest", digest(body));
        exchange.getResponseHeaders()
                .add("Content-Type", path.contains("/manifests/") ? MANIFEST : "application/octet-stream");
        if (head) {
            exchange.getResponseHeaders().add("Content-Length", Integer.toString(body.length));
        }
        exchange.sendResponseHeaders(
                answers.containsKey(path) ? 200 : 404, head || body.length == 0 ? -1 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            if (!head) {
                out.write(body);
            }
        }
    }

    private static String descriptor(String type, byte[] bytes) {
        return "{\"mediaType\":\"" + type + "\",\"size\":" + bytes.length + ",\"digest\":\"" + digest(bytes) + "\"}";
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
            zip.write(bytes);
        }
        return zipped.toByteArray();
    }

    private static String digest(byte[] bytes) {
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
