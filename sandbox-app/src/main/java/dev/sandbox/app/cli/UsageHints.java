package dev.sandbox.app.cli;

import dev.sandbox.app.config.Nearest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What somebody who mistyped a command line probably meant. */
final class UsageHints {
    private UsageHints() {}

    /** One line: what is wrong, and what was probably meant. */
    static String message(ParameterException e) {
        String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        if (!(e instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            // picocli ends some of its messages with a full stop, and the line goes on.
            return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
        }
        CommandLine command = e.getCommandLine();
        List<String> rest = unmatched.getUnmatched();
        String word = rest.get(0);
        if (!word.startsWith("-")) {
            return command.getSubcommands().isEmpty()
                    ? "unexpected argument: \"" + word + "\""
                    : "unknown command: \"" + word + "\"" + meant(command.getSubcommands().keySet().stream(), word);
        }
        String meant = word.startsWith("--") ? meant(options(command), withoutValue(word)) : "";
        String hint = meant.isEmpty()
                ? program(command)
                        .map(program -> forTheProgram(command, program, word))
                        .orElse("")
                : meant;
        return "unknown option: " + word + hint;
    }

    /** The program that stands before an option which is none of {@code run}. */
    private static Optional<String> program(CommandLine command) {
        return command.getParseResult().matchedPositionals().stream()
                .flatMap(positional -> positional.originalStringValues().stream())
                .findFirst()
                .filter(program -> command.getCommandName().equals("run"));
    }

    private static String forTheProgram(CommandLine command, String program, String word) {
        return "; if it is for " + program + ", put -- first: "
                + command.getCommandSpec().qualifiedName() + " -- " + program + " " + word;
    }

    private static Stream<String> options(CommandLine command) {
        return command.getCommandSpec().options().stream().flatMap(option -> Stream.of(option.names()));
    }

    private static String withoutValue(String word) {
        int equals = word.indexOf('=');
        return equals < 0 ? word : word.substring(0, equals);
    }

    private static String meant(Stream<String> known, String word) {
        List<String> names = known.toList();
        for (String name : names) {
            // As the policy's key has it: base_dir is --base.
            if (word.startsWith(name + "-")) {
                return "; did you mean " + name + "?";
            }
        }
        return Nearest.of(names, word)
                .map(near -> "; did you mean " + near + "?")
                .orElse("");
    }
}
