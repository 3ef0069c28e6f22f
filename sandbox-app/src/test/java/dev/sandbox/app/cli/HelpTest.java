package dev.sandbox.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.core.Sandboxes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What a person finds who asks the command itself. */
final class HelpTest {
    private static CommandLine root() {
        return CommandLines.commandLine(() -> Sandboxes.standard(Map.of()), false);
    }

    static List<CommandSpec> commandsThatDoSomething() {
        List<CommandSpec> commands = new ArrayList<>();
        gather(root(), commands);
        commands.removeIf(command ->
                command.name().equals("help") || !command.subcommands().isEmpty());
        return commands;
    }

    private static void gather(CommandLine command, List<CommandSpec> commands) {
        commands.add(command.getCommandSpec());
        command.getSubcommands().values().forEach(below -> gather(below, commands));
    }

    private static Stream<String> examples(CommandSpec command) {
        return Arrays.stream(command.usageMessage().footer())
                .map(String::trim)
                .filter(line -> line.startsWith("sandbox "));
    }

    @ParameterizedTest
    @MethodSource("commandsThatDoSomething")
    void everyCommandHasExamplesThatItTakes(CommandSpec command) {
        List<String> examples = examples(command).toList();
        assertThat(command.usageMessage().footer()).as(command.qualifiedName()).contains("Examples:");
        assertThat(examples).isNotEmpty();
        for (String example : examples) {
            String[] words = Pattern.compile("'[^']*'|\\S+")
                    .matcher(example.replaceFirst(" [|>)].*", ""))
                    .results()
                    .map(word -> word.group().replace("'", ""))
                    .toArray(String[]::new);
            CommandLine.ParseResult parsed = root().parseArgs(Arrays.copyOfRange(words, 1, words.length));
            assertThat(parsed.hasSubcommand()).isTrue();
        }
    }

    @Test
    void everyOptionOfRunStandsUnderOneHeading() {
        CommandSpec run =
                Objects.requireNonNull(root().getSubcommands().get("run")).getCommandSpec();
        Map<String, List<OptionSpec>> groups = HelpGroups.of(run);
        Set<String> seen = new HashSet<>();
        groups.values()
                .forEach(options -> options.forEach(option -> assertThat(seen.add(option.longestName()))
                        .as(option.longestName())
                        .isTrue()));
        assertThat(seen).hasSameSizeAs(run.options());
        assertThat(groups.get("Options"))
                .extracting(OptionSpec::longestName)
                .containsExactlyInAnyOrder("--help", "--version");
        assertThat(InProcess.run("run", "--help").out()).contains("Files:\n", "Limits:\n", "Examples:\n");
    }

    @Test
    void helpIsACommandToo() {
        InProcess.Said help = InProcess.run("help", "run");
        assertThat(help.code()).isZero();
        assertThat(help.out()).isEqualTo(InProcess.run("run", "--help").out());
        assertThat(InProcess.run("help").out())
                .isEqualTo(InProcess.run("--help").out());
    }

    @Test
    void theManualPageHasEveryCommandAndOption() {
        InProcess.Said said = InProcess.run("man");
        assertThat(said.code()).isZero();
        for (CommandSpec command : commandsThatDoSomething()) {
            String heading = ".SS " + command.qualifiedName().replaceFirst("^sandbox ", "") + "\n";
            assertThat(said.out()).contains(heading);
            for (OptionSpec option : command.options()) {
                assertThat(said.out()).contains(option.longestName().replace("-", "\\-"));
            }
        }
        assertThat(said.out().lines().filter(line -> line.startsWith(".")))
                .as("only requests of man(7)")
                .allMatch(line -> line.matches("\\.(TH|SH|SS|PP|TP|B|br|nf|fi)( .*)?"));
    }

    @Test
    void aGrantIsToldAsAnOption() {
        assertThat(OptionFix.of("read_paths: [/x/y]")).isEqualTo("--read /x/y");
        assertThat(OptionFix.of("write_paths: [/a b/it's]")).isEqualTo("--write '/a b/it'\\''s'");
        assertThat(OptionFix.of("trust_handoff: {remove: [x]}")).isEqualTo("trust_handoff: {remove: [x]}");
        assertThat(OptionFix.of("")).isEmpty();
    }
}
