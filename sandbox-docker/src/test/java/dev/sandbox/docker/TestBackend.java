package dev.sandbox.docker;

import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.linux.HostFileSystemView;
import dev.sandbox.linux.HostPlaceholders;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeHostFiles;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The backend on this host's files, as the application wires it. */
final class TestBackend {
    private static final LinuxSyscalls SYSCALLS = LinuxSyscalls.host();
    private static final Host HOST = Host.standard(new HostFileSystemView(SYSCALLS));
    private static final NativeHostFiles FILES = new NativeHostFiles(SYSCALLS);

    private TestBackend() {}

    static DockerBackend of(String image) {
        return new DockerBackend(HOST, FILES, new HostPlaceholders(SYSCALLS), Optional.of(image));
    }

    static StandardSandbox sandbox(DockerBackend backend) {
        return sandbox(backend, () -> {});
    }

    /** One that tells before each folder that it makes for a policy. */
    static StandardSandbox sandbox(DockerBackend backend, Runnable made) {
        return new StandardSandbox(
                HOST,
                new TellingHostFiles(FILES, made),
                Map.of("PATH", "/usr/bin:/bin", "HOST_SECRET", "s3cret"),
                List.of(backend),
                System::nanoTime);
    }
}
