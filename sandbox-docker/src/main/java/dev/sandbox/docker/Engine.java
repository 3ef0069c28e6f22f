package dev.sandbox.docker;

import dev.sandbox.docker.EngineConnection.After;
import dev.sandbox.docker.EngineTransport.Reply;
import dev.sandbox.domain.isolation.WindowSize;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of one container engine, in the words of its API; nothing is shelled out. Every failure becomes a
 * {@link SandboxUnavailableException}. Thread-safe.
 *
 * @see <a href="https://docs.docker.com/reference/api/engine/version/v1.41/">Docker Engine API</a>
 */
final class Engine {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 2_000_000;
    private static final int OK_END = 300;
    private static final String NOTHING = "";

    private final EngineAddress address;
    private final EngineTransport transport;

    Engine(EngineAddress address) {
        this.address = address;
        this.transport = new EngineTransport(address);
    }

    /**
     * The engine that the environment names; no call is made yet.
     *
     * @throws SandboxUnavailableException when there is none
     */
    static Engine connect() {
        return new Engine(EngineAddress.find());
    }

    /** Its socket, links followed, when that is one of this machine's files. */
    Optional<AbsolutePath> socket() {
        if (!address.isSocket()) {
            return Optional.empty();
        }
        try {
            return Optional.of(AbsolutePath.of(address.socket().toRealPath().toString()));
        } catch (IOException e) {
            throw unavailable("its socket cannot be found: " + e.getMessage(), e);
        }
    }

    EngineFacts facts() {
        Answer info = get("/info").orElseThrow(() -> unavailable("it tells nothing of itself", null));
        Answer version = get("/version").orElse(Answer.NOTHING);
        return EngineFacts.builder()
                .version(info.at("ServerVersion").text("unknown"))
                .cgroupVersion(info.at("CgroupVersion").text("1")) // named since API 1.40
                .userIds(userIds(info.at("SecurityOptions")))
                .open(get("/networks/bridge").isPresent() ? ContainerNetwork.BRIDGE : ContainerNetwork.HOST)
                .apiVersion(version.at("ApiVersion").text("unknown"))
                .kind(kind(version.at("Components")))
                .build();
    }

    private static EngineFacts.Kind kind(Answer components) {
        boolean podman = components.items().stream()
                .anyMatch(component -> component.at("Name").text("").startsWith("Podman"));
        return podman ? EngineFacts.Kind.PODMAN : EngineFacts.Kind.DOCKER;
    }

    private static EngineFacts.UserIds userIds(Answer securityOptions) {
        for (Answer option : securityOptions.items()) {
            if (option.text("").equals("name=rootless")) {
                return EngineFacts.UserIds.ROOTLESS;
            }
            if (option.text("").equals("name=userns")) {
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
                                "make it with images/make-images.sh, load it with docker import or docker load, or name another with image:"));
    }

    Optional<ImageFacts> findImage(String name) {
        return get("/images/" + encoded(name).replace("%2F", "/")
                        + "/json") // the engine's path for an image spans them
                .map(image -> new ImageFacts(
                        image.at("Id").text(name),
                        image.at("Config").at("Env").items().stream()
                                .map(variable -> variable.text("").split("=", 2)[0])
                                .toList()));
    }

    /** The names of some of its images, in order; those without one are left out. */
    List<String> images(int most) {
        return get("/images/json").stream()
                .flatMap(images -> images.items().stream())
                .flatMap(image -> image.at("RepoTags").items().stream())
                .map(tag -> tag.text(""))
                .filter(name -> !name.startsWith("<none>"))
                .sorted()
                .limit(most)
                .toList();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Asks the registry that the name says. */
    void pull(String name) {
        try {
            DockerJava.pull(address, name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("pull " + name + ": interrupted", e);
        } catch (IOException | RuntimeException e) {
            throw unavailable("pull " + name + ": " + e.getMessage(), e);
        }
    }

    /** Creates a container; gives its id. */
    String create(Map<String, Object> container) {
        return made("create container", post("/containers/create", Json.text(container)));
    }

    void start(String container) {
        require("start container", post("/containers/" + container + "/start", NOTHING));
    }

    /** The host's process id of its init; 0 when it does not run. */
    long pid(String container) {
        return state(container).at("Pid").number();
    }

    boolean ranOutOfMemory(String container) {
        return state(container).at("OOMKilled").isTrue();
    }

    /** Empty for one that is gone. */
    private Answer state(String container) {
        return get("/containers/" + container + "/json")
                .map(found -> found.at("State"))
                .orElse(Answer.NOTHING);
    }

    /** The container's standard input: for as long as the connection stands, it is open; its end ends the container. */
    EngineConnection attachInput(String container) {
        return open("/containers/" + container + "/attach?stream=1&stdin=1", NOTHING, After.RAW_BYTES);
    }

    String createExec(String container, ExecRequest request) {
        Map<String, Object> exec = new LinkedHashMap<>();
        exec.put("Cmd", request.argv());
        exec.put("Env", request.variables());
        exec.put("WorkingDir", request.workDir());
        exec.put("User", request.user());
        exec.put("AttachStdin", request.input().isPresent());
        exec.put("AttachStdout", true);
        exec.put("AttachStderr", true);
        exec.put("Tty", request.terminal());
        return made("create exec", post("/containers/" + container + "/exec", Json.text(exec)));
    }

    /** Starts it. */
    EngineConnection startExec(String exec, ExecRequest request) {
        Optional<InputStream> input = request.input();
        EngineConnection connection = open(
                "/exec/" + exec + "/start",
                "{\"Detach\":false,\"Tty\":" + request.terminal() + "}",
                input.isPresent() ? After.RAW_BYTES : After.ANSWER);
        input.ifPresent(bytes -> connection.feed(
                bytes, request.terminal() ? EngineConnection.End.OF_TERMINAL : EngineConnection.End.OF_PIPE));
        return connection;
    }

    /** Sets the size of its terminal. */
    void resize(String exec, WindowSize size) {
        require("resize exec", post("/exec/" + exec + "/resize?h=" + size.rows() + "&w=" + size.columns(), NOTHING));
    }

    /**
     * How a command does.
     *
     * @throws SandboxUnavailableException when the engine forgot it, with its container
     */
    ExecState execState(String exec) {
        Answer found = get("/exec/" + exec + "/json")
                .orElseThrow(() -> unavailable("it knows nothing of the command; the container is gone", null));
        return new ExecState(found.at("Running").isTrue(), found.at("Pid").number(), (int)
                found.at("ExitCode").number());
    }

    /**
     * The host's process id of a command that was started and waits.
     *
     * @throws SandboxUnavailableException when it does not start
     */
    long awaitPid(String exec) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            ExecState state = execState(exec);
            if (state.pid() != 0) {
                return state.pid();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw unavailable("it does not start a command", null);
    }

    /** Processes in the container, as ps(1) counts them; 0 when it has ended. */
    int processes(String container) {
        Reply reply = ask("GET", "/containers/" + container + "/top?ps_args=-eo%20pid", NOTHING);
        if (isGone(reply)) {
            return 0;
        }
        require("list processes", reply);
        return reply.content().at("Processes").items().size();
    }

    /** SIGKILL to all of it; returns when it has ended. Harmless when it is gone. */
    void kill(String container) {
        requireGone("kill container", post("/containers/" + container + "/kill", NOTHING));
    }

    void remove(String container) {
        requireGone("remove container", ask("DELETE", "/containers/" + container + "?force=1&v=1", NOTHING));
    }

    /** The answers that it is not there, does not run or is being removed are as good as success. */
    private void requireGone(String what, Reply reply) {
        if (!isGone(reply)) {
            require(what, reply);
        }
    }

    private static boolean isGone(Reply reply) {
        return reply.status() == HttpURLConnection.HTTP_NOT_FOUND || reply.status() == HttpURLConnection.HTTP_CONFLICT;
    }

    /** Containers with a label, those included that do not run. */
    List<LabelledContainer> labelled(String label) {
        String filters = encoded(Json.text(Map.of("label", List.of(label))));
        return get("/containers/json?all=1&filters=" + filters).orElse(Answer.NOTHING).items().stream()
                .map(container -> new LabelledContainer(
                        container.at("Id").text(""),
                        container.at("Labels").at(label).text(""),
                        container.at("State").text("")))
                .toList();
    }

    /** Absent when there is no such thing. */
    private Optional<Answer> get(String path) {
        Reply reply = ask("GET", path, NOTHING);
        if (reply.status() == HttpURLConnection.HTTP_NOT_FOUND) {
            return Optional.empty();
        }
        require(path, reply);
        return Optional.of(reply.content());
    }

    private Reply post(String path, String json) {
        return ask("POST", path, json);
    }

    private Reply ask(String method, String path, String json) {
        try {
            return transport.ask(method, path, json);
        } catch (IOException | RuntimeException e) {
            throw unanswered(path, e);
        }
    }

    private EngineConnection open(String path, String json, After after) {
        try {
            EngineConnection connection = transport.open("POST", path, json, after);
            if (connection.status() < OK_END) {
                return connection;
            }
            try (connection) {
                throw unavailable(message(Json.parse(connection.body()), connection.status()), null);
            }
        } catch (IOException e) {
            throw unanswered(path, e);
        }
    }

    private String made(String what, Reply reply) {
        require(what, reply);
        return reply.content().at("Id").text().orElseThrow(() -> unavailable(what + ": it gives no id", null));
    }

    private void require(String what, Reply reply) {
        if (reply.status() >= OK_END && reply.status() != HttpURLConnection.HTTP_NOT_MODIFIED) {
            throw unavailable(what + ": " + message(reply.content(), reply.status()), null);
        }
    }

    private static String message(Answer content, int status) {
        return content.at("message").text().map(String::strip).orElse("status " + status);
    }

    private SandboxUnavailableException unanswered(String path, Exception cause) {
        return unavailable("does not answer (" + path + ": " + cause.getMessage() + ")", cause);
    }

    private SandboxUnavailableException unavailable(String what, @Nullable Throwable cause) {
        return new SandboxUnavailableException("docker", "the engine at " + address + " says: " + what, "", cause);
    }
}
