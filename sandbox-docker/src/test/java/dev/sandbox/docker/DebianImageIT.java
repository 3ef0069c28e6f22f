package dev.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.result.ExecutionResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Package installs in an image that has Python. */
class DebianImageIT {
    private static final String IMAGE = "sandbox-test-debian";
    private static final DockerBackend BACKEND = TestBackend.of(IMAGE);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @BeforeAll
    static void needsAnEngine() {
        assumeTrue(BACKEND.assess().isUsable(), "needs a container engine with the image " + IMAGE);
    }

    @Test
    void aLocalPackageIsInstalledWithOnlyTheWorkFolderWritable() throws IOException {
        folder = folder.toRealPath();
        wheel(Files.createDirectory(folder.resolve("wheels")).resolve("greet-1.0-py3-none-any.whl"));
        SandboxPolicy policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(folder.toString()))
                .addReadPaths("wheels")
                .addWritePaths("w")
                .workDir("w")
                .network(NetworkPolicy.none())
                .build();
        ExecutionResult result = TestBackend.sandbox(BACKEND)
                .run(
                        policy,
                        Command.shell("pip install --quiet --no-index --find-links ../wheels greet"
                                + " && python3 -c 'import greet; print(greet.__file__)'"
                                + " && python3 -m venv v && v/bin/pip install --quiet --no-index --find-links ../wheels greet"
                                + " && v/bin/python -c 'import greet; print(greet.WORD)' && ls $HOME/.. -d"
                                + " && ! touch ../wheels/x 2>/dev/null && ! touch /usr/x 2>/dev/null"));
        assertThat(result.exitCode()).as(result.stderr()).isZero();
        assertThat(result.stdout())
                .startsWith(folder.resolve("w/.local/lib").toString())
                .contains("hello");
    }

    private static void wheel(Path file) throws IOException {
        String info = "greet-1.0.dist-info/";
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            entry(zip, "greet.py", "WORD = 'hello'\n");
            entry(zip, info + "METADATA", "Metadata-Version: 2.1\nName: greet\nVersion: 1.0\n");
            entry(
                    zip,
                    info + "WHEEL",
                    "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
            entry(
                    zip,
                    info + "RECORD",
                    "greet.py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n");
        }
    }

    private static void entry(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        zip.closeEntry();
    }
}
