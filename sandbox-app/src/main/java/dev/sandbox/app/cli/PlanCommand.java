package dev.sandbox.app.cli;

import dev.sandbox.app.config.ResultDocument;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.IsolationPlan;
import dev.sandbox.domain.problem.Problem;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code sandbox plan}. */
@CommandLine.Command(
        name = "plan",
        description = "Print what would be enforced; runs nothing.",
        footer = {
            "",
            "Examples:",
            "  sandbox plan --write out",
            "  sandbox plan --policy policy.yaml --backend landlock --json",
            "  sandbox plan --write out --calls -- make test"
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class PlanCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    private Main main;

    @Mixin
    private final PolicyOptions options = new PolicyOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(
            names = "--calls",
            description = {
                "Print the system calls that would start PROGRAM instead",
                "(default: true); none for docker, whose engine does it."
            })
    private boolean calls;

    @Option(names = "--filter", description = "Print the program of the system call filter as well.")
    private boolean filter;

    @Parameters(paramLabel = "PROGRAM [ARG...]", arity = "0..*", description = "Only --calls depends on it.")
    private List<String> argv = List.of();

    @Override
    public Integer call() {
        if (calls) {
            printCalls();
            return 0;
        }
        IsolationPlan plan = main.sandbox().plan(options.toPolicy());
        if (json) {
            System.out.println(ResultDocument.renderPretty(plan.document()));
        } else {
            plan.lines().forEach(line -> System.out.println(Problem.oneLine(line)));
            if (filter) {
                plan.listing().forEach(System.out::println);
            }
        }
        return 0;
    }

    private void printCalls() {
        Command command = argv.isEmpty() ? Command.of("true") : Command.of(argv);
        List<String> lines = main.sandbox().calls(options.toPolicy(), command);
        if (json) {
            System.out.println(ResultDocument.renderPretty(Map.of("calls", lines)));
        } else {
            lines.forEach(line -> System.out.println(Problem.oneLine(line)));
        }
    }
}
