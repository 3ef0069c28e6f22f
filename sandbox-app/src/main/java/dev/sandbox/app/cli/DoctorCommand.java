package dev.sandbox.app.cli;

import dev.sandbox.app.config.AssessmentDocument;
import dev.sandbox.app.config.ResultDocument;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.Promise;
import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.problem.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code sandbox doctor}. */
@CommandLine.Command(
        name = "doctor",
        description = "Say what this host can enforce, what is missing, and what would give it.",
        footer = {
            "",
            "Examples:",
            "  sandbox doctor",
            "  sandbox doctor --json",
            "",
            "Exit code 0 when at least one backend can enforce the default policy, 1 otherwise."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class DoctorCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    private Main main;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        List<BackendAssessment> assessments =
                main.sandbox().backends().stream().map(IsolationBackend::assess).toList();
        boolean usable = assessments.stream().anyMatch(BackendAssessment::isUsable);
        if (json) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("usable", usable);
            document.put("host", HostFacts.host());
            document.put("tools", HostFacts.tools());
            document.put(
                    "backends", assessments.stream().map(AssessmentDocument::of).toList());
            System.out.println(ResultDocument.renderPretty(document));
        } else {
            tell("host", HostFacts.host());
            tell("tools", HostFacts.tools());
            assessments.forEach(DoctorCommand::tell);
            System.out.println(
                    usable
                            ? "This host can enforce the default policy."
                            : "This host cannot enforce the default policy.");
        }
        return usable ? 0 : 1;
    }

    private static void tell(String title, Map<String, String> facts) {
        System.out.println(title);
        facts.forEach((name, fact) -> System.out.println(Problem.oneLine(String.format("  %-16s %s", name, fact))));
    }

    private static void tell(BackendAssessment assessment) {
        System.out.printf("%s: %s%n", assessment.backend().id(), Problem.oneLine(assessment.detail()));
        if (!assessment.isUsable()) {
            String remedy = assessment.promise(Guarantee.FS_READ).remedy();
            System.out.println("  no  guarantee at all" + (remedy.isEmpty() ? "" : "; " + remedy));
            return;
        }
        for (Guarantee guarantee : Guarantee.values()) {
            Promise promise = assessment.promise(guarantee);
            String remedy = promise.remedy().isEmpty() ? "" : "; " + promise.remedy();
            System.out.printf(
                    "  %-3s %-17s %s%s%n", promise.isHeld() ? "yes" : "no", guarantee.id(), promise.reason(), remedy);
        }
    }
}
