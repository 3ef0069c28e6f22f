package dev.sandbox.domain.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.path.AbsolutePath;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SandboxPolicyTest {
    @Test
    void pathIsWhatItsTextIs() {
        SandboxPolicy byPaths = SandboxPolicy.builder()
                .baseDir(Path.of("/srv/w"))
                .workDir(Path.of("out"))
                .cacheDir(Path.of("out/cache"))
                .addReadPaths(Path.of("src"))
                .addWritePaths(Path.of("out"))
                .addListPaths(Path.of("/srv"))
                .addBlockedPaths(Path.of("src/secret"))
                .addBlockedWritePaths(Path.of("out/kept"))
                .addExtraSystemPaths(Path.of("/opt/tool"))
                .build();

        SandboxPolicy byTexts = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of("/srv/w"))
                .workDir("out")
                .cacheDir("out/cache")
                .addReadPaths("src")
                .addWritePaths("out")
                .addListPaths("/srv")
                .addBlockedPaths("src/secret")
                .addBlockedWritePaths("out/kept")
                .addExtraSystemPaths("/opt/tool")
                .build();
        assertThat(byPaths).isEqualTo(byTexts);
    }

    @Test
    void relativePathIsNoBase() {
        assertThatThrownBy(() -> SandboxPolicy.builder().baseDir(Path.of("w")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("is not an absolute path");
    }
}
