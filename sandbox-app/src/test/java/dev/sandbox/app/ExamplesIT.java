package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.app.cli.InProcess;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in examples/ works as it stands there. */
final class ExamplesIT {
    private static final Path EXAMPLES = Sandboxed.MODULE.resolveSibling("examples");
    private static final int FIRST_THAT_WARNS_OF_UNSAFE = 24;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"embedding", "embedding-without-guice"})
    void theEmbeddingCompilesAndRunsOneStep(String example) throws Exception {
        compile(EXAMPLES.resolve(example).resolve("src/main/java/RunOneStep.java"));
        Path base = Files.createDirectory(folder.resolve("base"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        if (Runtime.version().feature() >= FIRST_THAT_WARNS_OF_UNSAFE) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(List.of("-cp", folder + ":" + System.getProperty("java.class.path")));
        command.addAll(List.of("RunOneStep", base.toString()));
        Path err = folder.resolve("err");
        Process process =
                new ProcessBuilder(command).redirectError(err.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(Files.readString(err)).isZero();
        assertThat(out).isEqualTo("hi\n");
        assertThat(err).isEmptyFile();
        assertThat(base.resolve("out/f")).hasContent("hi\n");
    }

    private void compile(Path source) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options =
                    List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
            boolean compiled = compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            assertThat(compiled).as(said.toString()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void everyPolicyIsValid(Path policy) {
        InProcess.Said said = InProcess.run(
                "explain",
                "--policy",
                policy.toString(),
                "--base",
                Objects.requireNonNull(policy.getParent()).toString(),
                ".");
        assertThat(said.err()).isEmpty();
        assertThat(said.code()).as("0 allowed, 1 denied").isIn(0, 1);
    }

    static List<Path> policies() throws IOException {
        try (Stream<Path> files = Files.walk(EXAMPLES)) {
            List<Path> policies = files.filter(file -> file.toString().matches(".*\\.(ya?ml)")
                            || (file.toString().endsWith(".json")
                                    && file.getFileName().toString().startsWith("policy")))
                    .sorted()
                    .toList();
            assertThat(policies).isNotEmpty();
            return policies;
        }
    }
}
