package dev.sandbox.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A Python package index on loopback, with wheels made here.
 *
 * @see <a href="https://peps.python.org/pep-0503/">PEP 503, Simple Repository API</a>
 */
final class PackageIndex implements AutoCloseable {
    private static final int AT_ONCE = 0; // the system's default backlog

    private final HttpServer server;
    private final Map<String, Wheel> wheels = new ConcurrentHashMap<>();
    private final List<String> downloads = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private static final class Wheel {
        private final String file;
        private final byte[] content;

        Wheel(String file, byte[] content) {
            this.file = file;
            this.content = content;
        }
    }

    private PackageIndex(HttpServer server) {
        this.server = server;
    }

    static PackageIndex start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), AT_ONCE);
        PackageIndex index = new PackageIndex(server);
        server.createContext("/simple/", index::page);
        server.createContext("/files/", index::file);
        server.start();
        return index;
    }

    /** For {@code --index-url}. */
    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/simple";
    }

    /** Offers a project of one module, which bears its name. */
    void add(String name, String version, String module, String... requirements) throws IOException {
        String info = name + "-" + version + ".dist-info/";
        StringBuilder metadata =
                new StringBuilder("Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n");
        for (String requirement : requirements) {
            metadata.append("Requires-Dist: ").append(requirement).append('\n');
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            entry(zip, name + ".py", module);
            entry(zip, info + "METADATA", metadata.toString());
            entry(
                    zip,
                    info + "WHEEL",
                    "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
            entry(
                    zip,
                    info + "RECORD",
                    name + ".py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n");
        }
        wheels.put(name, new Wheel(name + "-" + version + "-py3-none-any.whl", bytes.toByteArray()));
    }

    private static void entry(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }

    /** The projects whose wheel was fetched, once for each time. */
    List<String> downloads() {
        return new ArrayList<>(downloads);
    }

    /** Every path that was asked for. */
    List<String> requests() {
        return new ArrayList<>(requests);
    }

    private void page(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requests.add(path);
        Wheel wheel = wheels.get(path.split("/")[2]);
        if (wheel == null) {
            answer(exchange, 404, "text/plain", new byte[0]);
            return;
        }
        String link = "<!DOCTYPE html><html><body><a href=\"/files/" + wheel.file + "#sha256=" + sha256(wheel.content)
                + "\">" + wheel.file + "</a></body></html>";
        answer(exchange, 200, "text/html", link.getBytes(StandardCharsets.UTF_8));
    }

    private void file(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requests.add(path);
        String name = path.substring("/files/".length()).split("-")[0];
        downloads.add(name);
        exchange.getResponseHeaders().add("Cache-Control", "max-age=3600");
        answer(exchange, 200, "application/octet-stream", Objects.requireNonNull(wheels.get(name), name).content);
    }

    private static void answer(HttpExchange exchange, int code, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
