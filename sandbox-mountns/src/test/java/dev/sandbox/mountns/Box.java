package dev.sandbox.mountns;

import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.environment.EnvironmentPlan;
import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.PolicyResolver;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.result.CapturedOutput;
import dev.sandbox.linux.ConfinedSpawn;
import dev.sandbox.linux.HostFileSystemView;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeHostFiles;
import dev.sandbox.linux.spawn.Spawner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A folder to work in and a backend to run commands under policies on it. */
final class Box implements AutoCloseable {
    static final Host HOST = Host.standard(new HostFileSystemView(LinuxSyscalls.host()));

    /** How a command ended and what it printed. */
    record Result(int code, String stdout, String stderr, Completion completion) {}

    final Path folder;
    final MountNamespaceBackend backend;

    Box(MountNamespaceBackend backend) {
        this.backend = backend;
        try {
            this.folder = Files.createTempDirectory(Path.of("/var/tmp"), "box-").toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static MountNamespaceBackend backend(Privilege privilege) {
        return backend(privilege, new Spawner());
    }

    static MountNamespaceBackend backend(Privilege privilege, Spawner spawner) {
        LinuxSyscalls syscalls = LinuxSyscalls.host();
        return new MountNamespaceBackend(
                syscalls, HOST, new NativeHostFiles(syscalls), privilege, () -> new ConfinedSpawn(spawner));
    }

    /** As the application wires it. */
    static StandardSandbox sandbox(Privilege privilege) {
        return new StandardSandbox(
                HOST,
                new NativeHostFiles(LinuxSyscalls.host()),
                Map.of("PATH", "/usr/local/bin:/usr/bin:/bin"),
                List.of(backend(privilege)),
                System::nanoTime);
    }

    Path file(String name, String content) {
        try {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    SandboxPolicy.Builder policy() {
        return SandboxPolicy.builder().baseDir(AbsolutePath.of(folder.toString()));
    }

    static SessionRequest request(SandboxPolicy policy, Map<String, String> variables) {
        ResolvedPolicy resolved = PolicyResolver.resolve(policy, HOST);
        EnvironmentPlan environment =
                EnvironmentPlan.builder().putAllVariables(variables).build();
        return new SessionRequest(resolved, environment);
    }

    static SessionRequest request(SandboxPolicy policy) {
        return request(policy, Map.of("PATH", "/usr/local/bin:/usr/bin:/bin"));
    }

    Result sh(SandboxPolicy policy, String text) {
        return run(request(policy), Command.shell(text));
    }

    Result run(SessionRequest request, Command command) {
        try (IsolationSession session = backend.open(request);
                SandboxedProcess process = session.start(StepRequest.piped(command))) {
            return finish(process);
        }
    }

    static Result finish(SandboxedProcess process) {
        CapturedOutput out = new CapturedOutput(1 << 22);
        CapturedOutput err = new CapturedOutput(1 << 22);
        Completion completion = process.exchange(Exchange.builder()
                .stdout(out)
                .stderr(err)
                .timeout(Duration.ofSeconds(60))
                .build());
        return new Result(completion.status().shellCode(), out.text(), err.text(), completion);
    }

    @Override
    public void close() {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
                    Files.delete(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
