package dev.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A dockerd on a socket and data root of its own, without a network. */
@SuppressWarnings("try") // an interrupt ends the test
final class OwnEngine implements AutoCloseable {
    private static final Path MAKE_IMAGES =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("../images/make-images.sh");

    private final Path home;
    private Process daemon;

    private OwnEngine(Path home) throws IOException, InterruptedException {
        this.home = home;
        this.daemon = launch();
    }

    static OwnEngine start(Path home) throws IOException, InterruptedException {
        return new OwnEngine(home);
    }

    private Process launch() throws IOException, InterruptedException {
        Process started = new ProcessBuilder(
                        "dockerd",
                        "--host=" + address(),
                        "--data-root=" + home.resolve("data"),
                        "--exec-root=" + home.resolve("exec"),
                        "--pidfile=" + home.resolve("pid"),
                        "--iptables=false",
                        "--ip6tables=false",
                        "--bridge=none")
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("log").toFile())
                .start();
        // It says so on its log when it listens; there is nothing else to wait for.
        while (started.isAlive() && !Files.readString(home.resolve("log")).contains("API listen on")) {
            assertThat(started.waitFor(50, TimeUnit.MILLISECONDS))
                    .as(Files.readString(home.resolve("log")))
                    .isFalse();
        }
        return started;
    }

    String address() {
        return "unix://" + home.resolve("docker.sock");
    }

    void makeImage() throws IOException, InterruptedException {
        ProcessBuilder make = new ProcessBuilder(MAKE_IMAGES.toString(), "busybox")
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(home.resolve("images").toFile()));
        make.environment().put("DOCKER_HOST", address());
        assertThat(make.start().waitFor()).isZero();
    }

    /** Ends it as an operator would; it ends its containers first. */
    void stop() {
        daemon.destroy();
        Process ended = daemon.onExit().orTimeout(1, TimeUnit.MINUTES).join();
        assertThat(ended.isAlive()).isFalse();
    }

    void startAgain() throws IOException, InterruptedException {
        daemon = launch();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        stop();
        // The one mount that dockerd leaves.
        int unused = new ProcessBuilder(
                        "umount", home.resolve("exec/netns/default").toString())
                .start()
                .waitFor();
        try (Stream<Path> tree = Files.walk(home)) {
            List<Path> innermostFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path path : innermostFirst) {
                Files.delete(path);
            }
        }
    }
}
