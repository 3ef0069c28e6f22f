package dev.sandbox.app.cli;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Completions for the fish shell, from the commands as they are. */
final class FishCompletion {
    private static final String COMPLETE = "complete -c sandbox -n ";

    private FishCompletion() {}

    static String of(CommandSpec root) {
        StringBuilder script = new StringBuilder("# Completions of sandbox for fish.\n");
        level(root, "__fish_use_subcommand", script);
        return script.toString();
    }

    private static void level(CommandSpec command, String condition, StringBuilder script) {
        command.options().stream()
                .filter(option -> !option.hidden())
                .forEach(option -> option(option, condition, script));
        command.subcommands().forEach((name, below) -> {
            script.append(COMPLETE)
                    .append(quoted(condition))
                    .append(" -a ")
                    .append(name)
                    .append(" -d ")
                    .append(quoted(summary(below)))
                    .append('\n');
            level(below.getCommandSpec(), "__fish_seen_subcommand_from " + name, script);
        });
    }

    private static void option(OptionSpec option, String condition, StringBuilder script) {
        script.append(COMPLETE).append(quoted(condition));
        for (String name : option.names()) {
            script.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        List<String> words = CompletionCommand.words(option);
        if (!words.isEmpty()) {
            script.append(" -x -a ").append(quoted(String.join(" ", words)));
        } else if (option.arity().min() > 0) {
            script.append(" -r");
        }
        script.append(" -d ")
                .append(quoted(String.join(" ", option.description())))
                .append('\n');
    }

    private static String summary(CommandLine command) {
        String[] description = command.getCommandSpec().usageMessage().description();
        return description.length == 0 ? "" : description[0];
    }

    private static String quoted(String text) {
        return text.chars()
                .mapToObj(c -> c == '\'' || c == '\\' ? "\\" + (char) c : String.valueOf((char) c))
                .collect(Collectors.joining("", "'", "'"));
    }
}
