package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.app.cli.InProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The completion scripts, asked by the shells that they are for. */
final class CompletionIT {
    private static final String BASH = """
            . "$1"; words=($2); [[ $2 == *' ' ]] && words+=('')
            COMP_WORDS=("${words[@]}"); COMP_CWORD=$((${#words[@]} - 1)); COMP_LINE=$2; COMP_POINT=${#2}
            $(complete -p sandbox | sed 's/.*-F \\([^ ]*\\).*/\\1/') sandbox "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" \\
                2>/dev/null # compopt works while a shell completes only
            printf '%s\\n' "${COMPREPLY[@]}"
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "bash, sandbox ex, explain",
        "bash, sandbox policy ch, check",
        "bash, sandbox run --net, --network",
        "bash, sandbox run --home p, private",
        "fish, sandbox ex, explain",
        "fish, sandbox policy ch, check",
        "fish, sandbox run --net, --network",
        "fish, sandbox run --home p, private",
    })
    void theShellOffersWhatThereIs(String shell, String typed, String offered) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin", shell)), "needs " + shell);
        Path script = Files.writeString(
                folder.resolve("completion"), InProcess.run("completion", shell).out());
        String[] command = shell.equals("bash")
                ? new String[] {"bash", "-c", BASH, "bash", script.toString(), typed}
                : new String[] {"fish", "--no-config", "-c", "source " + script + "; complete -C '" + typed + "'"};
        assertThat(said(command).lines().map(line -> line.split("\t")[0].strip()))
                .contains(offered)
                .as("nothing but what begins so")
                .allMatch(word -> word.startsWith(typed.substring(typed.lastIndexOf(' ') + 1)));
    }

    private String said(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("HOME", folder.toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
