package dev.sandbox.app.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code sandbox man}. */
@CommandLine.Command(
        name = "man",
        description = "Print the manual page, sandbox(1).",
        footer = {"", "Examples:", "  sandbox man | man -l -", "  sandbox man > /usr/local/share/man/man1/sandbox.1"},
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class ManCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public void run() {
        System.out.print(ManualPage.of(spec.root()));
    }
}
