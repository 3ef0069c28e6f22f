package dev.sandbox.app.cli;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sandbox completion}. */
@CommandLine.Command(
        name = "completion",
        description = "Print a script by which a shell completes commands and options.",
        footer = {
            "",
            "Examples:",
            "  . <(sandbox completion bash)",
            "  sandbox completion fish > ~/.config/fish/completions/sandbox.fish"
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class CompletionCommand implements Runnable {
    private static final Pattern WORDS = Pattern.compile("[a-z-]+(\\|[a-z-]+)+");

    private enum Shell {
        BASH,
        ZSH,
        FISH
    }

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(paramLabel = "bash|zsh|fish", description = "The shell.")
    @SuppressWarnings("NullAway.Init")
    private String shell;

    @Override
    public void run() {
        CommandLine root = withWords(spec.root().commandLine());
        switch (named()) {
            // One script for both: under zsh it loads bashcompinit itself.
            case BASH, ZSH -> System.out.print(AutoComplete.bash("sandbox", root));
            case FISH -> System.out.print(FishCompletion.of(root.getCommandSpec()));
        }
    }

    private Shell named() {
        for (Shell known : Shell.values()) {
            if (known.name().toLowerCase(Locale.ROOT).equals(shell)) {
                return known;
            }
        }
        throw new UsageException("completion: \"" + shell + "\" is not one of bash, zsh, fish");
    }

    /** The words that an option's label lists: picocli would offer the names of Java's constants. */
    static List<String> words(OptionSpec option) {
        String label = option.paramLabel();
        return WORDS.matcher(label).matches() ? List.of(label.split("\\|")) : List.of();
    }

    private static CommandLine withWords(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        for (OptionSpec option : List.copyOf(spec.options())) {
            List<String> words = words(option);
            if (!words.isEmpty()) {
                spec.remove(option);
                spec.add(OptionSpec.builder(option).completionCandidates(words).build());
            }
        }
        command.getSubcommands().values().forEach(CompletionCommand::withWords);
        return command;
    }
}
