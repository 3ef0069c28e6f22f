package dev.sandbox.app;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.core.Sandboxes;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The oracle's verdicts against what a child finds in a container: fewer samples, each of which takes a container. */
final class DifferentialContainerIT {
    private static final String IMAGE = "sandbox-test-busybox";
    private static final int SAMPLES = 30;

    private final StandardSandbox sandbox = Sandboxes.standard(environment());

    private static Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(Map.of("PATH", "/usr/bin:/bin"));
        String engine = System.getenv("DOCKER_HOST");
        if (engine != null) {
            environment.put("DOCKER_HOST", engine);
        }
        return environment;
    }

    @BeforeEach
    void needsAnEngine() throws IOException {
        Path folder = Files.createTempDirectory("differential").toRealPath();
        try {
            SandboxPolicy policy = SandboxPolicy.builder()
                    .baseDir(AbsolutePath.of(folder.toString()))
                    .backend(BackendName.DOCKER)
                    .image(IMAGE)
                    .build();
            sandbox.run(policy, Command.of("true"));
        } catch (SandboxUnavailableException e) {
            assumeTrue(false, "needs a container engine with the image " + IMAGE + ": " + e.getMessage());
        } finally {
            DifferentialIT.remove(folder);
        }
    }

    @Test
    void oracleAgreesWithWhatAChildFindsInAContainer() {
        List<IsolationBackend> docker = sandbox.backends().stream()
                .filter(backend -> backend.name().equals(BackendName.DOCKER))
                .toList();
        JqwikSession.run(() -> {
            List<Sample> samples = DifferentialIT.samples()
                    .sampleStream()
                    // A container cannot show names without contents: such a policy is refused.
                    .filter(sample -> !sample.grants().containsKey("list_paths"))
                    .limit(SAMPLES)
                    .toList();
            for (Sample sample : samples) {
                compare(docker, sample);
            }
        });
    }

    private void compare(List<IsolationBackend> docker, Sample sample) throws IOException {
        Path base = Files.createTempDirectory("differential").toRealPath();
        try {
            sample.make(base);
            SandboxPolicy policy = SandboxPolicy.builder()
                    .from(sample.policy(base))
                    .image(IMAGE)
                    .build();
            // What the files name as their interpreter is not in the image.
            DifferentialIT.compare(sandbox, docker, sample, policy, base, probe -> !probe.startsWith("exec "));
        } catch (PolicyInvalidException contradiction) {
            return; // nothing that could be enforced
        } finally {
            DifferentialIT.remove(base);
        }
    }
}
