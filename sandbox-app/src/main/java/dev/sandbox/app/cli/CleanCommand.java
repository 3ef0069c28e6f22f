package dev.sandbox.app.cli;

import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.problem.Problem;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code sandbox clean}. */
@CommandLine.Command(
        name = "clean",
        description =
                "Remove the folders that runs with this policy have made for themselves in a grant: .cache, .local, .home"
                        + " and .tmp. No other folder of that name is removed. Use it while no command runs.",
        footer = {"", "Examples:", "  sandbox clean --write .", "  sandbox clean --policy policy.yaml"},
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class CleanCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    private Main main;

    @Mixin
    private final PolicyOptions options = new PolicyOptions();

    @Override
    public Integer call() {
        for (StandardSandbox.Cleaned cleaned : main.sandbox().clean(options.toPolicy())) {
            System.out.println(Problem.oneLine(line(cleaned)));
        }
        return 0;
    }

    private static String line(StandardSandbox.Cleaned cleaned) {
        return cleaned.removal() == HostFiles.Removal.REMOVED
                ? "removed " + cleaned.folder()
                : "kept " + cleaned.folder()
                        + ": the sandbox did not make it for this account, or a blocked path is in it";
    }
}
