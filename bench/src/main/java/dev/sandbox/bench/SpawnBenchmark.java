package dev.sandbox.bench;

import com.google.inject.Guice;
import dev.sandbox.core.SandboxModule;
import dev.sandbox.domain.Sandbox;
import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.landlock.LandlockModule;
import dev.sandbox.mountns.MountNamespaceModule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** {@code /bin/true}, from one JVM: bare, under each native backend, and by a helper program. Read the medians (p0.50). */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 4)
@Fork(
        value = 1,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED"})
public class SpawnBenchmark {
    private static final Command TRUE = Command.of("/bin/true");

    private final Children children = new Children();
    private Path folder = Path.of("/");
    private List<SandboxSession> sessions = List.of();

    /** Opens the session once. */
    @Setup
    public void open() throws IOException {
        folder = Files.createTempDirectory("bench");
        Sandbox sandbox = Guice.createInjector(new SandboxModule(new LandlockModule(), new MountNamespaceModule()))
                .getInstance(Sandbox.class);
        SandboxPolicy policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(folder.toRealPath().toString()))
                .addWritePaths("out")
                .build();
        sessions = Stream.of(BackendName.LANDLOCK, BackendName.MOUNTNS)
                .map(name -> SandboxPolicy.builder().from(policy).backend(name).build())
                .map(sandbox::open)
                .toList();
    }

    /** Closes it. */
    @TearDown
    public void close() {
        sessions.forEach(SandboxSession::close);
    }

    /** posix_spawn through the same pipes, without confinement. */
    @Benchmark
    public Completion bare() {
        return children.run(List.of("/bin/true"));
    }

    /** The whole way of a command in a session. */
    @Benchmark
    public ExecutionResult landlock() {
        return sessions.get(0).run(TRUE);
    }

    /** The same with mount namespaces: by system calls as root, by the script as an ordinary user. */
    @Benchmark
    public ExecutionResult mountNamespace() {
        return sessions.get(1).run(TRUE);
    }

    /** bubblewrap with a comparable view, spawned through the same pipes. */
    @Benchmark
    public Completion bubblewrap() {
        return children.bubblewrap(List.of("--bind", folder.toString(), folder.toString()));
    }

    /** The JDK's own way, for the scale. */
    @Benchmark
    public int processBuilder() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("/bin/true").start();
        process.getInputStream().readAllBytes();
        return process.waitFor();
    }
}
