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

/** {@code /bin/true} under a policy that grants many single files: how the cost of a run grows with the policy. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 2, time = 4)
@Fork(
        value = 1,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED"})
public class GrantsBenchmark {
    /** How many files are granted. */
    @Param({"10", "100", "1000"})
    public int grants;

    private final Children children = new Children();
    private Path folder = Path.of("/");
    private List<Path> files = List.of();
    private List<SandboxSession> sessions = List.of();

    /** Makes the files and opens the sessions. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        folder = Files.createTempDirectory(Path.of("/var/tmp"), "bench").toRealPath();
        files = new ArrayList<>();
        for (int i = 0; i < grants; i++) {
            files.add(Files.createFile(folder.resolve("f" + i)));
        }
        Sandbox sandbox = Guice.createInjector(new SandboxModule(new LandlockModule(), new MountNamespaceModule()))
                .getInstance(Sandbox.class);
        SandboxPolicy.Builder policy = SandboxPolicy.builder().baseDir(AbsolutePath.of(folder.toString()));
        files.forEach(file -> policy.addReadPaths(file.toString()));
        SandboxPolicy all = policy.build();
        sessions = List.of(
                sandbox.open(SandboxPolicy.builder()
                        .from(all)
                        .backend(BackendName.LANDLOCK)
                        .build()),
                sandbox.open(SandboxPolicy.builder()
                        .from(all)
                        .backend(BackendName.MOUNTNS)
                        .build()));
    }

    /** Removes what {@link #open} made. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        sessions.forEach(SandboxSession::close);
        for (Path file : files) {
            Files.delete(file);
        }
        Files.delete(folder);
    }

    /** A rule for each file, added for each run. */
    @Benchmark
    public ExecutionResult landlock() {
        return sessions.get(0).run(Command.of("/bin/true"));
    }

    /** A mount for each file. */
    @Benchmark
    public ExecutionResult mountNamespace() {
        return sessions.get(1).run(Command.of("/bin/true"));
    }

    /** The same mounts by bubblewrap. */
    @Benchmark
    public Completion bubblewrap() {
        List<String> mounts = new ArrayList<>();
        files.forEach(file -> mounts.addAll(List.of("--ro-bind", file.toString(), file.toString())));
        return children.bubblewrap(mounts);
    }
}
