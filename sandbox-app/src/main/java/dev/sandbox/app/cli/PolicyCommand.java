package dev.sandbox.app.cli;

import dev.sandbox.app.config.DocumentPlaces;
import dev.sandbox.app.config.PolicyFile;
import dev.sandbox.app.config.PolicySchema;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.isolation.BackendSelector;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code sandbox policy}. */
@CommandLine.Command(
        name = "policy",
        description = "Check policies, and print their schema.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
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
            description = "Say what is wrong with a policy, or what this host cannot enforce; runs nothing.",
            footer = {
                "",
                "Examples:",
                "  sandbox policy check policy.yaml",
                "  sandbox policy check --base /srv/work policy.yaml",
                "",
                "Each problem is one line on standard error, with its place in the file. Exit code 125 when there is one."
            },
            mixinStandardHelpOptions = true,
            versionProvider = Version.class)
    int check(
            @Option(
                            names = "--base",
                            paramLabel = "DIR",
                            description = "What relative paths are relative to (default: the current directory).")
                    @Nullable
                    String base,
            @Parameters(paramLabel = "FILE", description = "YAML or JSON.") Path file) {
        StandardSandbox sandbox = main.sandbox();
        try {
            ResolvedPolicy resolved = sandbox.resolve(PolicyOptions.ofFile(file, base));
            BackendSelector.Choice choice = sandbox.choose(resolved);
            resolved.skipped().forEach(grant -> System.out.println(Problem.oneLine("note: " + grant.note())));
            System.out.println(Problem.oneLine("valid: " + file + ", enforced by "
                    + choice.backend().name().id()));
            return 0;
        } catch (PolicyInvalidException e) {
            DocumentPlaces places = PolicyFile.places(file);
            for (Problem problem : e.problems()) {
                String place = places.of(problem.where())
                        .map(at -> file + ":" + at + ": ")
                        .orElse("");
                System.err.println(Problem.oneLine(e.code() + ": " + place + problem.line()));
            }
            return Main.SANDBOX_FAILED;
        }
    }

    @CommandLine.Command(
            name = "schema",
            description = "Print the JSON Schema (2020-12) of policies.",
            footer = {"", "Examples:", "  sandbox policy schema > policy.schema.json"},
            mixinStandardHelpOptions = true,
            versionProvider = Version.class)
    int schema() {
        System.out.print(PolicySchema.text());
        return 0;
    }
}
