package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.app.Sandboxed.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The caller's current folder is gone. */
final class DeletedFolderIT {
    @TempDir
    private Path folder;

    @Test
    void isToldInOneLineOfOurs() {
        for (String command : new String[] {"run", "doctor"}) {
            Outcome outcome = Sandboxed.from(folder)
                    .under("/bin/sh", "-c", "mkdir gone; cd gone; rmdir ../gone; exec \"$@\"", "sh")
                    .run(command);
            assertThat(outcome.code()).as("%s", outcome).isEqualTo(125);
            assertThat(outcome.out()).isEmpty();
            // A shell may have said something before the launcher's first command.
            assertThat(outcome.err()).doesNotContain("java").endsWith("\n");
            assertThat(outcome.err().lines().filter(line -> !line.contains("getcwd")))
                    .containsExactly("SANDBOX_UNAVAILABLE: the current folder was deleted; change to another");
        }
    }
}
