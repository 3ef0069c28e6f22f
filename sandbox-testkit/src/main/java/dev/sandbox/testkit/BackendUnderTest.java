package dev.sandbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.result.ExecutionResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A folder, and a sandbox over one backend to run commands in it. */
abstract class BackendUnderTest {
    /** Where the policies of one test lie; what is in it is the host's. */
    @TempDir
    @SuppressWarnings("NullAway.Init")
    protected Path folder;

    /** A sandbox over the backend under test alone; may be the same at each call. */
    protected abstract StandardSandbox sandbox();

    /** What the host lacks when the backend is not usable, for the report of the skipped test. */
    protected String needs() {
        return "needs what this backend is made of";
    }

    /** Adds what every policy needs for this backend beside its paths, for example an image. */
    protected SandboxPolicy.Builder beside(SandboxPolicy.Builder policy) {
        return policy;
    }

    final IsolationBackend backend() {
        List<IsolationBackend> backends = sandbox().backends();
        assertThat(backends).as("a sandbox over the backend under test alone").hasSize(1);
        return backends.get(0);
    }

    final BackendAssessment assessment() {
        return backend().assess(policy().build());
    }

    /** The backend must be usable; its steps may run under another account. */
    @BeforeEach
    final void prepare() throws IOException {
        folder = folder.toRealPath();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        BackendAssessment assessment = assessment();
        assumeTrue(assessment.isUsable(), () -> needs() + ": " + assessment.detail());
    }

    final SandboxPolicy.Builder policy() {
        return beside(SandboxPolicy.builder().baseDir(folder));
    }

    final Path file(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    final ExecutionResult run(UnaryOperator<SandboxPolicy.Builder> rules, Command command) {
        return sandbox().run(rules.apply(policy()).build(), command);
    }

    final ExecutionResult sh(UnaryOperator<SandboxPolicy.Builder> rules, String text) {
        return run(rules, Command.shell(text));
    }

    final List<String> tree() throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.map(path -> folder.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }
}
