package dev.sandbox.landlock;

import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.resolve.BaselineEntry;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.SystemBaseline;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.linux.ConfinedSpawn;
import dev.sandbox.linux.HostFileSystemView;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeHostFiles;
import dev.sandbox.linux.spawn.Spawner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A folder, and a sandbox over the real backend. */
final class Fixture {
    private final Path base;
    private final StandardSandbox sandbox;

    Fixture(Path base) {
        this(base, LinuxSyscalls.host(), List.of(), Map.of());
    }

    Fixture(Path base, LinuxSyscalls syscalls, List<BaselineEntry> moreBaseline, Map<String, String> environment) {
        this(base, syscalls, new Spawner(), moreBaseline, environment);
    }

    Fixture(
            Path base,
            LinuxSyscalls syscalls,
            Spawner spawner,
            List<BaselineEntry> moreBaseline,
            Map<String, String> environment) {
        Host host = new Host(
                new HostFileSystemView(LinuxSyscalls.host()),
                SystemBaseline.standard().plus(moreBaseline),
                List.of());
        NativeHostFiles files = new NativeHostFiles(LinuxSyscalls.host());
        Map<String, String> variables = new HashMap<>(Map.of("PATH", "/usr/local/bin:/usr/bin:/bin"));
        variables.putAll(environment);
        this.base = real(base);
        this.sandbox = new StandardSandbox(
                host,
                files,
                variables,
                List.of(new LandlockBackend(syscalls, host, files, () -> new ConfinedSpawn(spawner))),
                System::nanoTime);
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path path(String name) {
        return base.resolve(name);
    }

    Fixture file(String name, String content) {
        try {
            Files.createDirectories(path(name).getParent());
            Files.writeString(path(name), content);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String read(String name) {
        try {
            return Files.readString(path(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    SandboxPolicy policy(UnaryOperator<SandboxPolicy.Builder> rules) {
        return rules.apply(SandboxPolicy.builder().baseDir(AbsolutePath.of(base.toString())))
                .build();
    }

    ExecutionResult run(String command, UnaryOperator<SandboxPolicy.Builder> rules) {
        return sandbox.run(policy(rules), Command.shell(command));
    }

    StandardSandbox sandbox() {
        return sandbox;
    }
}
