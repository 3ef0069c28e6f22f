package dev.sandbox.app.cli;

import dev.sandbox.app.config.ResultDocument;
import dev.sandbox.app.selftest.Outcome;
import dev.sandbox.app.selftest.Selftest;
import dev.sandbox.app.selftest.SelftestReport;
import dev.sandbox.core.Sandboxes;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code sandbox selftest}. */
@CommandLine.Command(
        name = "selftest",
        description = "Attack every backend of this host by some 90 escape attempts, and show what held.",
        footer = {
            "",
            "Examples:",
            "  sandbox selftest",
            "  sandbox selftest --backend landlock --json",
            "",
            "held: the attack failed. open: it succeeded, as documented. refused: the backend refuses such a policy.",
            "untried: this host lacks what the attack takes. broken: it succeeded, and must not.",
            "It attacks only files, sockets and processes that it makes for itself.",
            "",
            "Exit code 0 when nothing is broken, 1 when something is."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class SelftestCommand implements Callable<Integer> {
    @Option(
            names = "--backend",
            paramLabel = "NAME",
            description = "Attack this one only: landlock, mountns or docker.")
    @Nullable
    BackendName backend;

    @Option(names = "--image", paramLabel = "IMAGE", description = "The image for docker.")
    @Nullable
    String image;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        StandardSandbox sandbox = Sandboxes.standard(withSecrets());
        List<IsolationBackend> chosen = sandbox.backends().stream()
                .filter(candidate -> backend == null || candidate.name().equals(backend))
                .toList();
        SelftestReport report = new Selftest(sandbox, Optional.ofNullable(image)).run(chosen);
        if (report.backends().stream().noneMatch(BackendAssessment::isUsable)) {
            throw new SandboxUnavailableException(
                    "selftest",
                    report.backends().stream()
                            .map(one -> one.backend().id() + ": " + one.detail())
                            .collect(Collectors.joining("; ")),
                    "see sandbox doctor");
        }
        if (json) {
            System.out.println(ResultDocument.renderPretty(document(report)));
        } else {
            tell(report);
        }
        return report.isPassed() ? 0 : 1;
    }

    private static Map<String, String> withSecrets() {
        Map<String, String> environment = new LinkedHashMap<>(CallerEnvironment.get());
        environment.put(Selftest.SECRET_NAME, Selftest.SECRET);
        environment.put(Selftest.LOADER_NAME, "1");
        return environment;
    }

    private static Map<String, Object> document(SelftestReport report) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("passed", report.isPassed());
        document.put(
                "backends",
                report.backends().stream().map(one -> document(report, one)).toList());
        document.put(
                "probes", report.rows().stream().map(SelftestCommand::document).toList());
        return document;
    }

    private static Map<String, Object> document(SelftestReport report, BackendAssessment backend) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", backend.backend().id());
        document.put("usable", backend.isUsable());
        document.put("detail", backend.detail());
        for (Outcome.Kind kind : Outcome.Kind.values()) {
            document.put(kind.id(), report.ids(backend.backend(), kind).size());
        }
        return document;
    }

    private static Map<String, Object> document(SelftestReport.Row row) {
        Map<String, Object> results = new LinkedHashMap<>();
        row.outcomes().forEach((backend, outcome) -> {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("outcome", outcome.kind().id());
            entry.put("detail", outcome.detail().isEmpty() ? null : outcome.detail());
            results.put(backend.id(), entry);
        });
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", row.id());
        document.put("attacks", row.attacks());
        document.put("meaning", row.meaning());
        document.put("results", results);
        return document;
    }

    private static void tell(SelftestReport report) {
        List<BackendName> tried = report.backends().stream()
                .filter(BackendAssessment::isUsable)
                .map(BackendAssessment::backend)
                .toList();
        System.out.printf("%-26s", "probe");
        tried.forEach(name -> System.out.printf(" %-9s", name.id()));
        System.out.println(" attempt");
        for (SelftestReport.Row row : report.rows()) {
            System.out.printf("%-26s", row.id());
            tried.forEach(name -> System.out.printf(" %-9s", word(row, name)));
            System.out.println(" " + row.meaning());
        }
        for (Outcome.Kind kind :
                List.of(Outcome.Kind.OPEN, Outcome.Kind.REFUSED, Outcome.Kind.UNTRIED, Outcome.Kind.BROKEN)) {
            tell(report, tried, kind);
        }
        System.out.println();
        report.backends().forEach(one -> System.out.println(Problem.oneLine(summary(report, one))));
    }

    private static String word(SelftestReport.Row row, BackendName backend) {
        Outcome outcome = row.outcomes().get(backend);
        return outcome == null ? "-" : outcome.kind().id();
    }

    private static void tell(SelftestReport report, List<BackendName> tried, Outcome.Kind kind) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (SelftestReport.Row row : report.rows()) {
            for (BackendName name : tried) {
                Outcome outcome = row.outcomes().get(name);
                if (outcome != null && outcome.kind() == kind) {
                    String detail = outcome.detail().isEmpty() ? row.attacks() : outcome.detail();
                    byReason.computeIfAbsent(name.id() + ": " + detail, reason -> new ArrayList<>())
                            .add(row.id());
                }
            }
        }
        if (!byReason.isEmpty()) {
            System.out.println();
            System.out.println(kind == Outcome.Kind.OPEN ? "open, as documented" : kind.id());
            byReason.forEach((reason, ids) ->
                    System.out.println("  " + Problem.oneLine(reason) + " (" + String.join(", ", ids) + ")"));
        }
    }

    private static String summary(SelftestReport report, BackendAssessment one) {
        if (!one.isUsable()) {
            return one.backend().id() + ": not usable here: " + one.detail();
        }
        StringBuilder line = new StringBuilder(one.backend().id()).append(":");
        for (Outcome.Kind kind : Outcome.Kind.values()) {
            line.append(' ')
                    .append(report.ids(one.backend(), kind).size())
                    .append(' ')
                    .append(kind.id())
                    .append(',');
        }
        line.setLength(line.length() - 1);
        return line.toString();
    }
}
