package dev.sandbox.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.core.Sandboxes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** No command takes an argument for a file of arguments, and no option a value for one. */
final class ArgumentsAsWrittenTest {
    private static final int COMMANDS_AT_LEAST = 13;
    private static final int OPTIONS_AT_LEAST = 130;

    @TempDir
    private Path folder;

    @Test
    void noCommandExpandsArgumentFiles() {
        assertThat(commands(whole()).toList())
                .hasSizeGreaterThanOrEqualTo(COMMANDS_AT_LEAST)
                .noneMatch(CommandLine::isExpandAtFiles);
    }

    @Test
    void noOptionsValueIsExpanded() throws IOException {
        String file = "@" + Files.writeString(folder.resolve("more"), "--help");
        long tried = commands(whole())
                .flatMap(command -> command.getCommandSpec().options().stream())
                .filter(option -> takesText(option))
                .peek(option -> assertThat(parsed(option, file))
                        .as(option.command().qualifiedName() + " " + option.longestName())
                        .contains(file))
                .count();
        assertThat(tried).isGreaterThanOrEqualTo(OPTIONS_AT_LEAST);
    }

    private static boolean takesText(OptionSpec option) {
        Class<?> type = option.auxiliaryTypes()[0];
        return option.arity().max() > 0 && (type == String.class || type == Path.class);
    }

    private static String parsed(OptionSpec option, String value) {
        String[] names = option.command().qualifiedName().split(" ");
        String[] arguments = Stream.concat(Stream.of(names).skip(1), Stream.of(option.longestName(), value))
                .toArray(String[]::new);
        CommandLine whole = whole();
        commands(whole)
                .forEach(command -> command.getCommandSpec().parser().collectErrors(true)); // of what else is missing
        CommandLine.ParseResult parsed = whole.parseArgs(arguments);
        while (parsed.hasSubcommand()) {
            parsed = parsed.subcommand();
        }
        return Objects.toString(parsed.matchedOptionValue(option.longestName(), null));
    }

    private static Stream<CommandLine> commands(CommandLine command) {
        return Stream.concat(
                Stream.of(command),
                command.getSubcommands().values().stream().flatMap(ArgumentsAsWrittenTest::commands));
    }

    private static CommandLine whole() {
        return CommandLines.commandLine(() -> Sandboxes.standard(Map.of()), false);
    }
}
