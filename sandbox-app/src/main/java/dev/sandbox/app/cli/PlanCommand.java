package dev.sandbox.app.cli;

import dev.sandbox.app.config.ResultDocument;
import dev.sandbox.domain.isolation.IsolationPlan;
import dev.sandbox.domain.problem.Problem;
import java.util.List;
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
            "  sandbox plan --policy policy.yaml --backend landlock --json"
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

    @Option(names = "--filter", description = "Print the program of the system call filter as well.")
    private boolean filter;

    @Parameters(
            paramLabel = "PROGRAM [ARG...]",
            arity = "0..*",
            description = "Accepted and not looked at: plans do not depend on it.")
    @SuppressWarnings("UnusedVariable") // a plan does not depend on the program; users append it to a run they try out
    private List<String> argv = List.of();

    @Override
    public Integer call() {
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
}
