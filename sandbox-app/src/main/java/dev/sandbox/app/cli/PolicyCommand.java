package dev.sandbox.app.cli;

import dev.sandbox.app.config.PolicyFile;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code sandbox policy}. */
@CommandLine.Command(name = "policy", description = "Check policies.", mixinStandardHelpOptions = true)
final class PolicyCommand implements Runnable {
    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    private Main main;

    @Override
    public void run() {
        throw new UsageException("no command given; try sandbox policy check FILE");
    }

    @CommandLine.Command(
            name = "check",
            description = "Validate a policy against this host; runs nothing.",
            mixinStandardHelpOptions = true)
    int check(@Parameters(paramLabel = "FILE", description = "YAML or JSON.") Path file) {
        ResolvedPolicy resolved = main.sandbox().resolve(PolicyFile.read(file, PolicyOptions.currentDirectory()));
        resolved.skipped().forEach(grant -> System.out.println(Problem.oneLine("note: " + grant.note())));
        System.out.println("valid: " + Problem.oneLine(file.toString()));
        return 0;
    }
}
