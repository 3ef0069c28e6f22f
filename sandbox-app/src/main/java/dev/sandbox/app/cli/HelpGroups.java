package dev.sandbox.app.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The options of a command under headings, for its help and its manual page. Options that no heading names come last. */
final class HelpGroups {
    private static final String OTHERS = "Options";

    private static final Map<String, List<String>> GROUPS = groups();

    private HelpGroups() {}

    private static Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        groups.put("The command", List.of("-c", "--workdir", "--stdin", "--tty", "--merge-output"));
        groups.put("The policy", List.of("--policy", "--base", "--config", "--keep-config"));
        groups.put(
                "Files",
                List.of(
                        "--read",
                        "--write",
                        "--list",
                        "--block",
                        "--block-write",
                        "--on-missing",
                        "--system-path",
                        "--toolchains",
                        "--cache-dir",
                        "--home",
                        "--tmp",
                        "--proc",
                        "--trust-handoff"));
        groups.put("Network and services", List.of("--network", "--allow-socket"));
        groups.put(
                "Environment",
                List.of(
                        "--env",
                        "--pass-env",
                        "--block-env",
                        "--mask-env",
                        "--env-inherit",
                        "--env-mode",
                        "--package-config"));
        groups.put(
                "Limits",
                List.of(
                        "--timeout",
                        "--memory",
                        "--max-processes",
                        "--max-output",
                        "--max-file-size",
                        "--max-open-files",
                        "--cpu-time"));
        groups.put(
                "Isolation",
                List.of(
                        "--backend",
                        "--require",
                        "--run-as",
                        "--user-namespaces",
                        "--host-device",
                        "--image",
                        "--pull"));
        groups.put("What is printed", List.of("--json", "--status-file", "--quiet"));
        return groups;
    }

    /** Lets the help of a command and of all below it show its options in groups. */
    static CommandLine apply(CommandLine command) {
        command.getSubcommands().values().forEach(HelpGroups::apply);
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpGroups::render);
        return command;
    }

    /** The visible options by heading, none empty. */
    static Map<String, List<OptionSpec>> of(CommandLine.Model.CommandSpec command) {
        Map<String, List<OptionSpec>> grouped = new LinkedHashMap<>();
        List<OptionSpec> others = new ArrayList<>();
        command.options().stream().filter(option -> !option.hidden()).forEach(others::add);
        GROUPS.forEach((heading, names) -> {
            List<OptionSpec> options = new ArrayList<>();
            names.forEach(name -> others.stream()
                    .filter(option -> List.of(option.names()).contains(name))
                    .forEach(options::add));
            others.removeAll(options);
            if (!options.isEmpty()) {
                grouped.put(heading, options);
            }
        });
        if (!others.isEmpty()) {
            grouped.put(OTHERS, others);
        }
        return grouped;
    }

    private static String render(Help help) {
        Map<String, List<OptionSpec>> grouped = of(help.commandSpec());
        StringBuilder text = new StringBuilder();
        grouped.forEach((heading, options) -> {
            text.append(heading).append(":\n");
            Help.Layout layout = help.createDefaultLayout(
                    help.commandSpec().options(), help.commandSpec().positionalParameters(), help.colorScheme());
            text.append(help.optionListExcludingGroups(options, layout, null, help.parameterLabelRenderer()));
        });
        return text.toString();
    }
}
