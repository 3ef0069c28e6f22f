package dev.sandbox.bench;

import com.google.inject.Guice;
import dev.sandbox.core.SandboxModule;
import dev.sandbox.docker.DockerModule;
import dev.sandbox.domain.Sandbox;
import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.result.ExecutionResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@code /bin/true} in a container of the same hardening, by the docker backend and by the {@code docker} command. Needs an engine
 * (DOCKER_HOST) with the image, see images/make-images.sh. Read the medians (p0.50).
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 4)
@Measurement(iterations = 3, time = 8)
@Fork(
        value = 1,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED"})
public class DockerBenchmark {
    private static final Command TRUE = Command.of("/bin/true");

    /** The image. */
    @Param("sandbox-test-busybox")
    public String image = "";

    private Path folder = Path.of("/");
    private String warm = "";
    private SandboxPolicy policy =
            SandboxPolicy.builder().baseDir(AbsolutePath.ROOT).build();

    private final Sandbox sandbox =
            Guice.createInjector(new SandboxModule(new DockerModule())).getInstance(Sandbox.class);

    @SuppressWarnings("NullAway.Init") // by open()
    private SandboxSession session;

    /** A session, and a container of the command's. */
    @Setup
    public void open() throws IOException, InterruptedException {
        folder = Files.createTempDirectory("bench").toRealPath();
        policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(folder.toString()))
                .addWritePaths(".")
                .network(NetworkPolicy.none())
                .image(image)
                .build();
        session = sandbox.open(policy);
        warm = docker(hardened("run", "--detach", "--interactive"), "/bin/sh", "-c", "read -r _");
    }

    /** Ends them. */
    @TearDown
    public void close() throws IOException, InterruptedException {
        session.close();
        String unused = docker(List.of("kill"), warm);
    }

    /** For what starts containers: waits until those of the last one are gone, so that nobody pays for another's removal. */
    @State(Scope.Benchmark)
    public static class Settled {
        /** Only the two that are kept stay. */
        @Setup(Level.Invocation)
        public void await() throws IOException, InterruptedException {
            while (docker(List.of("ps", "--all", "--quiet")).lines().count() > 2) {
                Thread.sleep(20);
            }
        }
    }

    /** The second command of a session. */
    @Benchmark
    public ExecutionResult warmExec() {
        return session.run(TRUE);
    }

    /** The same by the command. */
    @Benchmark
    public String warmExecByCommand() throws IOException, InterruptedException {
        return docker(List.of("exec"), warm, "/bin/true");
    }

    /** A session of its own for one command. */
    @Benchmark
    public ExecutionResult oneShot(Settled settled) {
        return sandbox.run(policy, TRUE);
    }

    /** The same by the command. */
    @Benchmark
    public String oneShotByCommand(Settled settled) throws IOException, InterruptedException {
        return docker(hardened("run"), "/bin/true");
    }

    private List<String> hardened(String... verb) {
        List<String> arguments = new ArrayList<>(List.of(verb));
        arguments.addAll(List.of("--rm", "--init", "--read-only", "--cap-drop", "ALL", "--network", "none"));
        arguments.addAll(
                List.of("--security-opt", "no-new-privileges", "--pids-limit", "4096", "--log-driver", "none"));
        arguments.addAll(List.of("--tmpfs", "/tmp", "--mount", "type=bind,source=" + folder + ",target=" + folder));
        arguments.addAll(List.of("--workdir", folder.toString(), image));
        return arguments;
    }

    private static String docker(List<String> arguments, String... more) throws IOException, InterruptedException {
        List<String> argv = new ArrayList<>(List.of("docker"));
        argv.addAll(arguments);
        argv.addAll(List.of(more));
        Process process = new ProcessBuilder(argv)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException(argv + " failed");
        }
        return said;
    }
}
