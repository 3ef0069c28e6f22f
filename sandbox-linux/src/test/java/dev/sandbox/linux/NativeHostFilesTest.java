package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a temporary folder is made. */
final class NativeHostFilesTest {
    private static final AbsolutePath ABSENT = AbsolutePath.of("/proc/none");

    @TempDir
    private Path folder;

    @Test
    void theCallersOwnPlaceIsNextWhenTheFirstMayNotBeWritten() {
        AbsolutePath own = AbsolutePath.of(folder.toString());

        AbsolutePath made = new NativeHostFiles(LinuxSyscalls.host(), List.of(own)).createTemporary(ABSENT);

        assertThat(own.contains(made)).isTrue();
    }

    @Test
    void withoutAnyPlaceItNamesTheVariableThatGivesOne() {
        NativeHostFiles files = new NativeHostFiles(LinuxSyscalls.host(), List.of());

        assertThatThrownBy(() -> files.createTemporary(ABSENT))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("TMPDIR: no temporary folder can be made: mkdirat(/proc/none/sbx-")
                .hasMessageContaining("let TMPDIR name a folder that this account may write");
    }
}
