package dev.sandbox.app;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.core.Sandboxes;
import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.SandboxPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Sessions on the real backends, and what they leave on the host. */
final class Steps {
    static final StandardSandbox SANDBOX =
            Sandboxes.standard(Map.of("PATH", "/usr/local/bin:/usr/bin:/bin", "LANG", "C.UTF-8"));

    private static final String IMAGE = "sandbox-test-busybox";

    private Steps() {}

    /** A session that writes in a folder; skips the test where the backend cannot be used. */
    static SandboxSession open(BackendName backend, Path folder, UnaryOperator<Limits.Builder> limits) {
        assumeUsable(backend);
        return SANDBOX.open(policy(backend, folder)
                .addWritePaths(".")
                .limits(limits.apply(Limits.builder()).build())
                .build());
    }

    /** What every policy on a backend begins with. */
    static SandboxPolicy.Builder policy(BackendName backend, Path folder) {
        SandboxPolicy.Builder policy =
                SandboxPolicy.builder().baseDir(AbsolutePath.of(real(folder))).backend(backend);
        return backend.equals(BackendName.DOCKER) ? policy.image(IMAGE) : policy;
    }

    /** Those of this distribution, for parameterized tests. */
    static List<BackendName> backends() {
        return BackendName.standard();
    }

    static List<BackendName> nativeBackends() {
        return List.of(BackendName.LANDLOCK, BackendName.MOUNTNS);
    }

    static List<BackendName> backendsWithATmpOfTheirOwn() {
        return List.of(BackendName.MOUNTNS, BackendName.DOCKER);
    }

    /** With the image that {@link #policy} names, for a container engine of its own has none by default. */
    static boolean isUsable(BackendName backend) {
        SandboxPolicy policy = policy(backend, Path.of("/tmp")).build();
        return SANDBOX.backends().stream()
                .filter(candidate -> candidate.name().equals(backend))
                .anyMatch(candidate -> candidate.assess(policy).isUsable());
    }

    static void assumeUsable(BackendName backend) {
        assumeTrue(isUsable(backend), () -> switch (backend.id()) {
            case "landlock" -> "needs Landlock ABI 3";
            case "mountns" -> "needs user namespaces";
            case "docker" -> "needs a container engine";
            default -> throw new IllegalArgumentException(backend.id());
        });
    }

    static String real(Path folder) {
        try {
            return folder.toRealPath().toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Processes of this machine with the text in their argument vector, but for this JVM's. */
    static List<String> running(String text) {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(process -> process.getFileName().toString().matches("\\d+"))
                    .map(Steps::commandLine)
                    .filter(line -> line.contains(text))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }

    /** Descriptors of this process that are of a kind that runs have. */
    static long descriptors() {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(fd -> target(fd).matches("pipe:.*|.*pidfd.*|.*eventfd.*|.*landlock.*|/dev/pt.*"))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException gone) {
            return "";
        }
    }

    /** Mounts that this process sees in or of a folder. */
    static List<String> mounts(Path folder) {
        try {
            String name = folder.getFileName().toString();
            return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                    .filter(line -> line.contains(name))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
