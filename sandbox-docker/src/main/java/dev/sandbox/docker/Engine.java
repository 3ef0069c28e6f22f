package dev.sandbox.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.PullImageResultCallback;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.core.DockerClientConfig;
import com.github.dockerjava.core.DockerClientImpl;
import com.github.dockerjava.transport.DockerHttpClient;
import com.github.dockerjava.transport.DockerHttpClient.Request;
import com.github.dockerjava.transport.DockerHttpClient.Response;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import dev.sandbox.domain.isolation.WindowSize;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One container engine, by its API; nothing is shelled out. Every failure becomes a {@link SandboxUnavailableException}. Streams
 * are read by {@link FrameReader} from the hijacked connection itself: the callbacks of docker-java hand over without an end that
 * a caller could wait for with a bound on memory. Thread-safe.
 */
final class Engine {
    /** A connection for each running step, and one that keeps each container alive. */
    private static final int CONNECTIONS = 1024;

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String START_ONE = "start one, or set DOCKER_HOST; or use --backend landlock or mountns";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final DockerClientConfig config;
    private final DockerHttpClient http;
    private final DockerClient client;

    Engine(DockerClientConfig config) {
        this.config = config;
        this.http = new ZerodepDockerHttpClient.Builder()
                .dockerHost(config.getDockerHost())
                .sslConfig(config.getSSLConfig())
                .maxConnections(CONNECTIONS)
                .connectionTimeout(PATIENCE)
                .build();
        this.client = DockerClientImpl.getInstance(config, http);
    }

    /**
     * The engine that the environment names; no call is made yet.
     *
     * @throws SandboxUnavailableException when there is none
     */
    static Engine connect() {
        Optional<String> absence = EngineAddress.absence();
        if (absence.isPresent()) {
            throw new SandboxUnavailableException("docker", absence.get(), START_ONE);
        }
        try {
            return new Engine(EngineAddress.config());
        } catch (IllegalArgumentException | DockerClientException e) {
            throw new SandboxUnavailableException(
                    "docker", "the engine's address cannot be used: " + e.getMessage(), START_ONE, e);
        }
    }

    /** Its socket, links followed, when that is one of this machine's files. */
    Optional<AbsolutePath> socket() {
        if (!EngineAddress.isLocal(config)) {
            return Optional.empty();
        }
        try {
            return Optional.of(AbsolutePath.of(
                    Path.of(config.getDockerHost().getPath()).toRealPath().toString()));
        } catch (IOException e) {
            throw unavailable("its socket cannot be found: " + e.getMessage(), e);
        }
    }

    EngineFacts facts() {
        JsonNode info = get("/info").orElseThrow(() -> unavailable("it tells nothing of itself", null));
        return EngineFacts.builder()
                .version(info.path("ServerVersion").asText("unknown"))
                .cgroupVersion(info.path("CgroupVersion").asText("1")) // named since API 1.40
                .userIds(userIds(info.path("SecurityOptions")))
                .open(get("/networks/bridge").isPresent() ? ContainerNetwork.BRIDGE : ContainerNetwork.HOST)
                .apiVersion(get("/version")
                        .map(version -> version.path("ApiVersion").asText())
                        .orElse("unknown"))
                .build();
    }

    private static EngineFacts.UserIds userIds(JsonNode securityOptions) {
        for (JsonNode option : securityOptions) {
            if (option.asText().equals("name=rootless")) {
                return EngineFacts.UserIds.ROOTLESS;
            }
            if (option.asText().equals("name=userns")) {
                return EngineFacts.UserIds.REMAPPED;
            }
        }
        return EngineFacts.UserIds.HOST;
    }

    /**
     * The image's id and the names of its own variables.
     *
     * @throws SandboxUnavailableException when it is not there; this does not pull it
     */
    ImageFacts image(String name) {
        return findImage(name)
                .orElseThrow(
                        () -> new SandboxUnavailableException(
                                "docker",
                                "there is no image " + name
                                        + " on this engine, and none is pulled unless --pull asks for it",
                                "make it with images/make-images.sh, load it with docker import or docker load, or name another with --image"));
    }

    Optional<ImageFacts> findImage(String name) {
        return get("/images/" + encoded(name) + "/json").map(image -> {
            List<String> variables = new ArrayList<>();
            for (JsonNode variable : image.path("Config").path("Env")) {
                variables.add(variable.asText().split("=", 2)[0]);
            }
            return new ImageFacts(image.path("Id").asText(), variables);
        });
    }

    /** The names of some of its images, in order; those without one are left out. */
    List<String> images(int most) {
        List<String> names = new ArrayList<>();
        get("/images/json").ifPresent(images -> {
            for (JsonNode image : images) {
                image.path("RepoTags").forEach(tag -> names.add(tag.asText()));
            }
        });
        return names.stream()
                .filter(name -> !name.startsWith("<none>"))
                .sorted()
                .limit(most)
                .toList();
    }

    /** Slashes stay: the engine's path for an image spans them. */
    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }

    CreateContainerCmd create(String imageId) {
        return client.createContainerCmd(imageId);
    }

    void start(String container) {
        boolean unused = asking("start container", () -> {
            client.startContainerCmd(container).exec();
            return true;
        });
    }

    /** Asks the registry that the name says, with the credentials that {@code docker login} left. */
    void pull(String name) {
        boolean tagged = name.indexOf(':', name.lastIndexOf('/') + 1) >= 0 || name.contains("@");
        boolean unused = asking("pull " + name, () -> {
            try (PullImageResultCallback progress =
                    client.pullImageCmd(tagged ? name : name + ":latest").exec(new PullImageResultCallback())) {
                progress.awaitCompletion();
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** The host's process id of its init; 0 when it does not run. */
    long pid(String container) {
        return state(container).path("Pid").asLong();
    }

    boolean ranOutOfMemory(String container) {
        return state(container).path("OOMKilled").asBoolean();
    }

    /** Empty for one that is gone. */
    private JsonNode state(String container) {
        return get("/containers/" + container + "/json")
                .map(found -> found.path("State"))
                .orElse(MissingNode.getInstance());
    }

    /** Keeps the container's standard input open for as long as {@code input} gives nothing; its end ends the container. */
    Response attachInput(String container, InputStream input) {
        return hijack("/containers/" + container + "/attach?stream=1&stdin=1", "", input);
    }

    String createExec(String container, ExecRequest request) {
        return asking(
                "create exec",
                () -> client.execCreateCmd(container)
                        .withCmd(request.argv().toArray(new String[0]))
                        .withEnv(request.variables())
                        .withWorkingDir(request.workDir())
                        .withUser(request.user())
                        .withAttachStdin(request.input().isPresent())
                        .withTty(request.terminal())
                        .withAttachStdout(true)
                        .withAttachStderr(true)
                        .exec()
                        .getId());
    }

    /** Starts it. */
    ExecStream startExec(String exec, ExecRequest request) {
        String path = "/exec/" + exec + "/start";
        String body = "{\"Detach\":false,\"Tty\":" + request.terminal() + "}";
        Optional<InputStream> input = request.input();
        if (input.isEmpty()) {
            Response response = post(path, body);
            return new ExecStream(response.getBody(), response::close);
        }
        try {
            Hijack hijack = Hijack.post(config, path, body);
            hijack.feed(input.get(), request.terminal() ? Hijack.End.OF_TERMINAL : Hijack.End.OF_PIPE);
            return new ExecStream(hijack.output(), hijack::close);
        } catch (IOException e) {
            throw unavailable("start exec: " + e.getMessage(), e);
        }
    }

    /** Sets the size of its terminal. */
    void resize(String exec, WindowSize size) {
        boolean unused = asking("resize exec", () -> {
            client.resizeExecCmd(exec).withSize(size.rows(), size.columns()).exec();
            return true;
        });
    }

    /**
     * How a command does.
     *
     * @throws SandboxUnavailableException when the engine forgot it, with its container
     */
    ExecState execState(String exec) {
        JsonNode found = get("/exec/" + exec + "/json")
                .orElseThrow(() -> unavailable("it knows nothing of the command; the container is gone", null));
        return new ExecState(
                found.path("Running").asBoolean(),
                found.path("Pid").asLong(),
                found.path("ExitCode").asInt());
    }

    /** Processes in the container, as ps(1) counts them; 0 when it has ended. */
    int processes(String container) {
        return asking("list processes", () -> {
            try {
                String[][] rows = client.topContainerCmd(container)
                        .withPsArgs("-eo pid")
                        .exec()
                        .getProcesses();
                return rows == null ? 0 : rows.length;
            } catch (NotFoundException | ConflictException notThere) {
                return 0;
            }
        });
    }

    /** SIGKILL to all of it; returns when it has ended. Harmless when it is gone. */
    void kill(String container) {
        gone("kill container", () -> client.killContainerCmd(container).exec());
    }

    void remove(String container) {
        gone(
                "remove container",
                () -> client.removeContainerCmd(container)
                        .withForce(true)
                        .withRemoveVolumes(true)
                        .exec());
    }

    /** The answers that it is not there, does not run or is being removed are as good as success. */
    private void gone(String what, Runnable call) {
        boolean unused = asking(what, () -> {
            try {
                call.run();
                return true;
            } catch (NotFoundException | ConflictException notThere) {
                return true;
            }
        });
    }

    List<Container> labelled(String label) {
        return asking(
                "list containers",
                () -> client.listContainersCmd()
                        .withShowAll(true)
                        .withLabelFilter(List.of(label))
                        .exec());
    }

    /**
     * An answer as a tree; absent when there is no such thing. The client would bind it to beans, and the first look at those takes
     * longer than the call.
     */
    private Optional<JsonNode> get(String path) {
        return asking(path, () -> {
            try (Response response = http.execute(
                    Request.builder().method(Request.Method.GET).path(path).build())) {
                JsonNode answer = JSON.readTree(response.getBody());
                return switch (response.getStatusCode()) {
                    case HttpURLConnection.HTTP_OK -> Optional.of(answer);
                    case HttpURLConnection.HTTP_NOT_FOUND -> Optional.empty();
                    default ->
                        throw unavailable(path + ": " + answer.path("message").asText(), null);
                };
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private Response hijack(String path, String json, InputStream input) {
        return open(Request.builder()
                .method(Request.Method.POST)
                .path(path)
                .putAllHeaders(Map.of("Content-Type", "application/json", "Connection", "Upgrade", "Upgrade", "tcp"))
                .bodyBytes(json.getBytes(StandardCharsets.UTF_8))
                .hijackedInput(input)
                .build());
    }

    private Response post(String path, String json) {
        return open(Request.builder()
                .method(Request.Method.POST)
                .path(path)
                .putAllHeaders(Map.of("Content-Type", "application/json"))
                .bodyBytes(json.getBytes(StandardCharsets.UTF_8))
                .build());
    }

    private Response open(Request request) {
        Response response = asking(request.path(), () -> http.execute(request));
        if (response.getStatusCode() < 300) {
            return response;
        }
        try (response) {
            throw unavailable(new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8).strip(), null);
        } catch (IOException e) {
            throw unavailable("status " + response.getStatusCode(), e);
        }
    }

    /** Runs a call, and tells its failure as ours. */
    <T> T asking(String what, Supplier<T> call) {
        try {
            return call.get();
        } catch (SandboxUnavailableException e) {
            throw e;
        } catch (DockerException e) {
            throw unavailable(what + ": " + String.valueOf(e.getMessage()).strip(), e);
        } catch (RuntimeException e) {
            throw unavailable("does not answer (" + what + ": " + e.getMessage() + ")", e);
        }
    }

    private SandboxUnavailableException unavailable(String what, @Nullable Throwable cause) {
        String remedy = EngineAddress.isLocal(config)
                ? ""
                : "a policy's paths are bound from the engine's own machine: use an engine on this one";
        return new SandboxUnavailableException(
                "docker", "the engine at " + config.getDockerHost() + " says: " + what, remedy, cause);
    }
}
