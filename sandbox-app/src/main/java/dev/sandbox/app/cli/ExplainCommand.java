package dev.sandbox.app.cli;

import dev.sandbox.app.config.Enforcement;
import dev.sandbox.app.config.ResultDocument;
import dev.sandbox.app.config.VerdictDocument;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.verdict.AccessOracle;
import dev.sandbox.domain.verdict.Operation;
import dev.sandbox.domain.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code sandbox explain}. */
@CommandLine.Command(
        name = "explain",
        description = "Say whether a path may be read, written, ..., and by which rule.",
        footer = {
            "",
            "Examples:",
            "  sandbox explain --write out /etc/passwd out/f",
            "  sandbox explain --policy policy.yaml --op write out/f",
            "",
            "Exit code 0 when all is allowed, 1 when something is denied."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class ExplainCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    private Main main;

    @Mixin
    private final PolicyOptions options = new PolicyOptions();

    @Option(names = "--op", paramLabel = "read|list|write|create|exec", description = "The operation (default: read).")
    private Operation operation = Operation.READ;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Parameters(
            paramLabel = "PATH",
            arity = "1..*",
            description = "The paths asked about; relative ones are relative to the base.")
    private List<String> paths = List.of();

    @Override
    public Integer call() {
        StandardSandbox sandbox = main.sandbox();
        ResolvedPolicy resolved = sandbox.resolve(options.toPolicy());
        AccessOracle oracle = sandbox.oracle(resolved);
        Enforcement enforcement = Enforcement.of(sandbox, resolved);
        List<Verdict> verdicts = new ArrayList<>();
        for (String path : paths) {
            verdicts.add(oracle.decide(absolute(oracle, path), operation));
        }
        if (json) {
            System.out.println(ResultDocument.renderPretty(verdicts.stream()
                    .map(verdict -> VerdictDocument.of(verdict, enforcement))
                    .toList()));
        } else {
            verdicts.forEach(this::tell);
            enforcement.lines().forEach(line -> System.out.println(Problem.oneLine(line)));
        }
        return verdicts.stream().allMatch(Verdict::isAllowed) ? 0 : 1;
    }

    private static AbsolutePath absolute(AccessOracle oracle, String path) {
        try {
            return oracle.named(path);
        } catch (IllegalArgumentException e) {
            throw new UsageException("\"" + path + "\" " + e.getMessage());
        }
    }

    private void tell(Verdict verdict) {
        String word = verdict.isAllowed() ? "allowed" : "denied";
        System.out.println(Problem.oneLine(
                word + " " + verdict.operation().id() + " " + verdict.asked() + ": " + verdict.reason()));
        verdict.steps().forEach(step -> System.out.println("  link " + Problem.oneLine(step)));
        if (!verdict.fix().isEmpty()) {
            String fix = options.policy == null ? OptionFix.of(verdict.fix()) : verdict.fix();
            System.out.println("  " + Problem.oneLine("to allow it: " + fix));
        } else if (verdict.rule().filter(rule -> rule.access().isBlock()).isPresent()) {
            System.out.println("  no grant can allow it; remove the block");
        }
    }
}
