package dev.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.InspectExecResponse;
import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.command.PullImageResultCallback;
import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.core.DockerClientConfig;
import com.github.dockerjava.core.DockerClientImpl;
import com.github.dockerjava.transport.DockerHttpClient;
import com.github.dockerjava.transport.DockerHttpClient.Request;
import com.github.dockerjava.transport.DockerHttpClient.Response;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
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
        return asking("info", () -> {
            Info info = client.infoCmd().exec();
            boolean bridge =
                    client.listNetworksCmd().exec().stream().anyMatch(network -> "bridge".equals(network.getName()));
            return EngineFacts.builder()
                    .version(String.valueOf(info.getServerVersion()))
                    .apiVersion(String.valueOf(client.versionCmd().exec().getApiVersion()))
                    .cgroupVersion(String.valueOf(info.getRawValues().getOrDefault("CgroupVersion", "?")))
                    .userIds(userIds(info))
                    .open(bridge ? ContainerNetwork.BRIDGE : ContainerNetwork.HOST)
                    .build();
        });
    }

    private static EngineFacts.UserIds userIds(Info info) {
        List<String> options = Optional.ofNullable(info.getSecurityOptions()).orElse(List.of());
        if (options.contains("name=rootless")) {
            return EngineFacts.UserIds.ROOTLESS;
        }
        return options.contains("name=userns") ? EngineFacts.UserIds.REMAPPED : EngineFacts.UserIds.HOST;
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
        return asking("inspect image " + name, () -> {
            try {
                InspectImageResponse image = client.inspectImageCmd(name).exec();
                String[] variables = Optional.ofNullable(image.getConfig())
                        .map(found -> found.getEnv())
                        .orElse(new String[0]);
                return Optional.of(new ImageFacts(
                        String.valueOf(image.getId()),
                        Arrays.stream(variables)
                                .map(variable -> variable.split("=", 2)[0])
                                .toList()));
            } catch (NotFoundException e) {
                return Optional.empty();
            }
        });
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

    long pid(String container) {
        return asking(
                "inspect container",
                () -> Optional.ofNullable(client.inspectContainerCmd(container)
                                .exec()
                                .getState()
                                .getPidLong())
                        .orElse(0L));
    }

    boolean ranOutOfMemory(String container) {
        try {
            return Boolean.TRUE.equals(
                    client.inspectContainerCmd(container).exec().getState().getOOMKilled());
        } catch (RuntimeException gone) {
            return false;
        }
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
                        .withAttachStdout(true)
                        .withAttachStderr(true)
                        .exec()
                        .getId());
    }

    /** Starts it. */
    ExecStream startExec(String exec, Optional<InputStream> input) {
        String path = "/exec/" + exec + "/start";
        String body = "{\"Detach\":false,\"Tty\":false}";
        if (input.isEmpty()) {
            Response response = post(path, body);
            return new ExecStream(response.getBody(), response::close);
        }
        try {
            Hijack hijack = Hijack.post(config, path, body);
            hijack.feed(input.get());
            return new ExecStream(hijack.output(), hijack::close);
        } catch (IOException e) {
            throw unavailable("start exec: " + e.getMessage(), e);
        }
    }

    ExecState execState(String exec) {
        return asking("inspect exec", () -> {
            InspectExecResponse found = client.inspectExecCmd(exec).exec();
            return new ExecState(
                    Boolean.TRUE.equals(found.isRunning()),
                    Optional.ofNullable(found.getPidLong()).orElse(0L),
                    Optional.ofNullable(found.getExitCodeLong()).orElse(0L).intValue());
        });
    }

    /** Processes in the container, as ps(1) counts them. */
    int processes(String container) {
        return asking(
                "list processes",
                () -> Optional.ofNullable(client.topContainerCmd(container)
                                .withPsArgs("-eo pid")
                                .exec()
                                .getProcesses())
                        .map(rows -> rows.length)
                        .orElse(0));
    }

    /** SIGKILL to all of it; returns when it has ended. Harmless when it is gone. */
    void kill(String container) {
        try {
            client.killContainerCmd(container).exec();
        } catch (DockerException gone) {
            // not running, or removed already
        }
    }

    void remove(String container) {
        try {
            client.removeContainerCmd(container)
                    .withForce(true)
                    .withRemoveVolumes(true)
                    .exec();
        } catch (DockerException gone) {
            // removed already, or being removed by the engine
        }
    }

    List<Container> labelled(String label) {
        return asking(
                "list containers",
                () -> client.listContainersCmd()
                        .withShowAll(true)
                        .withLabelFilter(List.of(label))
                        .exec());
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
