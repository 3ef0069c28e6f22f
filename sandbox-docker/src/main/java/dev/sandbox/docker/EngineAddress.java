package dev.sandbox.docker;

import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * Where the engine is, as {@code docker} finds it: DOCKER_HOST with DOCKER_TLS_VERIFY and DOCKER_CERT_PATH, else the context that
 * DOCKER_CONTEXT or the configuration names, else the usual socket. The system property DOCKER_HOST comes before all.
 *
 * @param uri {@code unix:///path} or {@code tcp://host:port}
 * @param certificates the folder of the keys for TLS; absent: none is used
 * @see <a href="https://docs.docker.com/engine/manage-resources/contexts/">Docker contexts</a>
 */
record EngineAddress(URI uri, Optional<Path> certificates) {
    private static final String HOST = "DOCKER_HOST";
    private static final String LOCAL = "unix://";
    private static final String USUAL = LOCAL + "/var/run/docker.sock";
    private static final String HERE =
            "a policy's paths are files of this machine: use an engine on it, or the backend landlock or mountns";

    /**
     * The one that this process's environment names, read anew each time: cheap, and an engine may be started meanwhile.
     *
     * @throws SandboxUnavailableException when it names none that can be used; no connection is tried
     */
    static EngineAddress find() {
        String property = System.getProperty(HOST, "");
        Map<String, String> environment = System.getenv();
        return property.isEmpty()
                ? find(environment, Path.of(System.getProperty("user.home")))
                : of(property, tls(environment, Path.of(System.getProperty("user.home"))));
    }

    static EngineAddress find(Map<String, String> environment, Path home) {
        String named = environment.getOrDefault(HOST, "");
        if (!named.isEmpty()) {
            return of(named, tls(environment, home));
        }
        Path folder = folder(environment, home);
        String context = environment.getOrDefault("DOCKER_CONTEXT", "");
        context = context.isEmpty() ? currentContext(folder.resolve("config.json")) : context;
        return context.isEmpty() || context.equals("default")
                ? of(USUAL, Optional.empty())
                : ofContext(folder, context);
    }

    private static Path folder(Map<String, String> environment, Path home) {
        String named = environment.getOrDefault("DOCKER_CONFIG", "");
        return named.isEmpty() ? home.resolve(".docker") : Path.of(named);
    }

    /** As the docker command does: any value of DOCKER_TLS_VERIFY turns it on. */
    private static Optional<Path> tls(Map<String, String> environment, Path home) {
        if (environment.getOrDefault("DOCKER_TLS_VERIFY", "").isEmpty()) {
            return Optional.empty();
        }
        String named = environment.getOrDefault("DOCKER_CERT_PATH", "");
        return Optional.of(named.isEmpty() ? folder(environment, home) : Path.of(named));
    }

    private static String currentContext(Path configuration) {
        return Files.exists(configuration)
                ? read(configuration).at("currentContext").text("")
                : "";
    }

    private static EngineAddress ofContext(Path folder, String context) {
        String id = HexFormat.of().formatHex(sha256(context));
        Path meta = folder.resolve("contexts/meta").resolve(id).resolve("meta.json");
        if (!Files.exists(meta)) {
            throw refused("there is no docker context " + context, "see docker context ls");
        }
        Path keys = folder.resolve("contexts/tls").resolve(id).resolve("docker");
        String host = read(meta).at("Endpoints").at("docker").at("Host").text(USUAL);
        return of(host, Files.exists(keys.resolve("ca.pem")) ? Optional.of(keys) : Optional.empty());
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static Answer read(Path file) {
        try {
            return Json.parse(Files.readAllBytes(file));
        } catch (IOException e) {
            throw refused("cannot read " + file + ": " + e.getMessage(), "mend it, or set DOCKER_HOST");
        }
    }

    private static EngineAddress of(String text, Optional<Path> certificates) {
        URI uri;
        try {
            uri = URI.create(text);
        } catch (IllegalArgumentException e) {
            throw refused("the engine's address \"" + text + "\" is no address", "set DOCKER_HOST to unix:///path");
        }
        switch (String.valueOf(uri.getScheme())) {
            case "unix" -> requireListening(Path.of(text.substring(LOCAL.length())));
            case "tcp" -> requireThisMachine(uri);
            case "ssh" -> throw refused("the engine " + text + " is another machine's", HERE);
            default ->
                throw refused("the engine's address " + text + " cannot be used", "set DOCKER_HOST to unix:///path");
        }
        return new EngineAddress(uri, certificates);
    }

    private static void requireListening(Path socket) {
        if (!Files.exists(socket)) {
            throw refused(
                    "no container engine listens on " + socket,
                    "start one, or set DOCKER_HOST; or use the backend landlock or mountns");
        }
    }

    private static void requireThisMachine(URI uri) {
        try {
            if (uri.getHost() == null || uri.getPort() < 0) {
                throw refused("the engine's address " + uri + " lacks a host or a port", "set DOCKER_HOST");
            }
            if (!InetAddress.getByName(uri.getHost()).isLoopbackAddress()) {
                throw refused("the engine at " + uri + " is another machine's", HERE);
            }
        } catch (UnknownHostException e) {
            throw refused("the engine at " + uri + " cannot be found", HERE);
        }
    }

    private static SandboxUnavailableException refused(String what, String fix) {
        return new SandboxUnavailableException("docker", what, fix);
    }

    boolean isSocket() {
        return "unix".equals(uri.getScheme());
    }

    /** The socket, when it is one. */
    Path socket() {
        return Path.of(uri.getPath());
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
