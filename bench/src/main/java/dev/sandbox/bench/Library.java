package dev.sandbox.bench;

import dev.sandbox.core.Sandboxes;
import dev.sandbox.domain.Sandbox;
import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.result.ExecutionResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What runs inside this JVM, or asks a server that is up already. */
final class Library implements AutoCloseable {
    private static final Command TRUE = Command.of("/bin/true");
    private static final int EACH = 20;

    private final Path folder;
    private final Children children = new Children();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<SandboxSession> sessions = new ArrayList<>();
    private final List<Process> servers = new ArrayList<>();

    Library(Path folder) {
        this.folder = folder;
    }

    /** All of them; opens sessions and starts servers, which {@link #close} ends. */
    List<Contender> contenders(String command) throws IOException {
        List<Contender> all = new ArrayList<>();
        all.add(library("bare posix_spawn", () -> children.run(List.of("/bin/true"))));
        all.add(library("ProcessBuilder", Library::processBuilder));
        Sandbox sandbox = Sandboxes.standard();
        for (BackendName backend : List.of(BackendName.LANDLOCK, BackendName.MOUNTNS)) {
            SandboxPolicy policy = SandboxPolicy.builder()
                    .baseDir(AbsolutePath.of(folder.toString()))
                    .addWritePaths("out")
                    .backend(backend)
                    .build();
            SandboxSession session = sandbox.open(policy);
            sessions.add(session);
            all.add(library("session, " + backend.id(), () -> check(session.run(TRUE))));
            all.add(library("one run, " + backend.id(), () -> check(sandbox.run(policy, TRUE))));
            URI url = serve(command, backend);
            all.add(library("service, " + backend.id(), () -> ask(url)));
        }
        all.add(library(
                "bubblewrap", () -> children.bubblewrap(List.of("--bind", folder.toString(), folder.toString()))));
        return all;
    }

    private static Contender library(String name, Contender.Way way) {
        return new Contender(Contender.LIBRARY, name, EACH, way);
    }

    private static void processBuilder() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("/bin/true").start();
        process.getInputStream().readAllBytes();
        if (process.waitFor() != 0) {
            throw new IOException("exit code " + process.exitValue());
        }
    }

    private static void check(ExecutionResult result) throws IOException {
        if (result.exitCode() != 0) {
            throw new IOException(result.toString());
        }
    }

    private URI serve(String command, BackendName backend) throws IOException {
        Process server = new ProcessBuilder(
                        command, "serve", "--port", "0", "--backend", backend.id(), "--write", "out")
                .directory(folder.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        servers.add(server);
        BufferedReader said = server.errorReader(StandardCharsets.UTF_8);
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            int at = line.indexOf("listening on ");
            if (at >= 0) {
                // It logs each request, and waits when nobody reads.
                Thread drain = new Thread(() -> said.lines().forEach(ignored -> {}), "server-log");
                drain.setDaemon(true);
                drain.start();
                return URI.create(line.substring(at + "listening on ".length()).strip() + "/api/execute");
            }
        }
        throw new IOException("sandbox serve ended before it listened");
    }

    private void ask(URI url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(url)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"command\":\"true\"}"))
                .build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + " " + answer.body());
        }
    }

    @Override
    public void close() {
        sessions.forEach(SandboxSession::close);
        servers.forEach(Process::destroy);
    }
}
