package dev.sandbox.app.cli;

import dev.sandbox.app.config.PolicyFile;
import dev.sandbox.app.config.PolicySchema;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code sandbox policy}. */
@CommandLine.Command(
        name = "policy",
        description = "Check policies, and print their schema.",
        mixinStandardHelpOptions = true)
final class PolicyCommand implements Runnable {
    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    private Main main;

    @Override
    public void run() {
        throw new UsageException("no command given; try sandbox policy check FILE, or sandbox policy schema");
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

    @CommandLine.Command(
            name = "schema",
            description = "Print the JSON Schema (2020-12) of policies.",
            mixinStandardHelpOptions = true)
    int schema() {
        System.out.print(PolicySchema.text());
        return 0;
    }
}
