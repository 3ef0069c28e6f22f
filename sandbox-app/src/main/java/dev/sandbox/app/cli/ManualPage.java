package dev.sandbox.app.cli;

import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** sandbox(1) in the macros of man(7), from the commands and options as they are. */
final class ManualPage {
    private final StringBuilder page = new StringBuilder();

    private ManualPage() {}

    static String of(CommandSpec root) {
        ManualPage manual = new ManualPage();
        manual.page.append(".TH SANDBOX 1 \"\" \"sandbox\" \"User Commands\"\n");
        manual.section("NAME").paragraph("sandbox - run a command that you did not write, confined by the kernel");
        manual.section("SYNOPSIS").commands(root, false);
        manual.section("DESCRIPTION");
        for (String line : root.usageMessage().description()) {
            manual.paragraph(line);
        }
        manual.section("COMMANDS").commands(root, true);
        manual.section("EXIT STATUS");
        for (String line : root.usageMessage().footer()) {
            manual.paragraph(line);
        }
        return manual.page.toString();
    }

    private ManualPage section(String title) {
        page.append(".SH ").append(title).append('\n');
        return this;
    }

    private void paragraph(String text) {
        if (!text.isEmpty()) {
            page.append(".PP\n").append(line(text));
        }
    }

    private void commands(CommandSpec command, boolean whole) {
        command.subcommands().values().forEach(below -> {
            CommandSpec spec = below.getCommandSpec();
            if (whole) {
                command(spec);
            } else {
                page.append(".br\n").append(line("sandbox " + path(spec) + " ..."));
            }
            commands(spec, whole);
        });
    }

    private void command(CommandSpec spec) {
        page.append(".SS ").append(line(path(spec)));
        for (String text : spec.usageMessage().description()) {
            page.append(line(text));
        }
        HelpGroups.of(spec).forEach((heading, options) -> {
            paragraph(heading + ":");
            options.forEach(this::option);
        });
        List<String> footer = List.of(spec.usageMessage().footer());
        if (!footer.isEmpty()) {
            page.append(".PP\n.nf\n");
            footer.forEach(text -> page.append(line(text)));
            page.append(".fi\n");
        }
    }

    private void option(OptionSpec option) {
        String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        page.append(".TP\n.B ").append(line(String.join(", ", option.names()) + value));
        page.append(line(String.join(" ", option.description())));
    }

    private static String path(CommandSpec spec) {
        return spec.qualifiedName().replaceFirst("^sandbox ", "");
    }

    /** One line that roff(7) prints as it is: no escapes, no request at its beginning. */
    private static String line(String text) {
        String plain = Help.Ansi.OFF.string(text).replace("\\", "\\e").replace("-", "\\-");
        return (plain.startsWith(".") || plain.startsWith("'") ? "\\&" : "") + plain + "\n";
    }
}
