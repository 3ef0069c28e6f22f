package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.app.Sandboxed.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The caller's own streams are no way out of the sandbox, whatever they are. */
final class StandardStreamsIT {
    @TempDir
    private Path folder;

    private Path in;

    @BeforeEach
    void makeInput() throws IOException {
        in = Files.writeString(folder.resolve("in"), "one\ntwo\nthree\n");
    }

    /** A shell text in which {@code "$@"} stands for the program. */
    private Outcome by(String text, String... arguments) {
        return Sandboxed.from(folder).under("/bin/sh", "-c", text, "sh").run(List.of(arguments));
    }

    @ParameterizedTest
    @ValueSource(strings = {"landlock", "mountns"})
    void aFileAsStandardInputCannotBeChanged(String backend) throws IOException {
        Outcome outcome = by(
                "\"$@\" <in",
                "run",
                "--backend",
                backend,
                "-c",
                "echo changed >/proc/self/fd/0; chmod 777 /proc/self/fd/0; cat");
        // It can write into its own pipe, which is nobody else's.
        assertThat(outcome.ended(0).out()).contains("one\ntwo\nthree\n");
        assertThat(in).hasContent("one\ntwo\nthree\n");
        assertThat(in.toFile().canExecute()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"landlock", "mountns"})
    void aFolderAsStandardInputIsRefused(String backend) {
        by("\"$@\" <.", "run", "--backend", backend, "-c", "ls /proc/self/fd/0/..")
                .refused("SANDBOX_UNAVAILABLE: standard input: is a folder");
    }

    @ParameterizedTest
    @ValueSource(strings = {"landlock", "mountns"})
    void aLoopOverTheLinesOfAFileRunsForEach(String backend) {
        Outcome outcome =
                by("while read -r line; do \"$@\" \"$line\"; done <in", "run", "--backend", backend, "--", "echo");
        assertThat(outcome.ended(0).out()).isEqualTo("one\ntwo\nthree\n");
        Outcome rest =
                by("{ \"$@\"; cat; } <in", "run", "--backend", backend, "-c", "read -r line; echo \"got $line\"");
        assertThat(rest.ended(0).out()).isEqualTo("got one\ntwo\nthree\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"})
    void closedStreamsAreTheNullDevice(String closed) throws IOException {
        Files.createDirectory(folder.resolve("w"));
        Outcome outcome = by(
                "\"$@\" " + closed,
                "run",
                "--write",
                "w",
                "--workdir",
                "w",
                "-c",
                "readlink /proc/self/fd/0 >in; cat >>in; echo out; echo err >&2");
        assertThat(outcome.ended(0).out()).isEqualTo(closed.contains(">&-") && !closed.equals("2>&-") ? "" : "out\n");
        assertThat(outcome.err()).isEqualTo(closed.contains("2>&-") ? "" : "err\n");
        assertThat(folder.resolve("w/in")).content().doesNotContain("jar", "modules");
    }
}
