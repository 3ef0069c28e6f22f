package dev.sandbox.app.cli;

import dev.sandbox.app.config.ResultDocument;
import dev.sandbox.domain.isolation.RunningStep;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.linux.HostLedger;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code sandbox ps}. */
@CommandLine.Command(
        name = "ps",
        description = "List the steps that run on this host under this account; as root, under all.",
        footer = {
            "",
            "Examples:",
            "  sandbox ps",
            "  sandbox ps --json",
            "",
            "An id is that of the process which runs the step, the number of its sandbox, and the step's own."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class PsCommand implements Callable<Integer> {
    private static final String ROW = "%-14s %-9s %9s %10s  %s";

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        List<HostLedger.Entry> entries = HostLedger.all();
        if (json) {
            System.out.println(ResultDocument.renderPretty(
                    Map.of("steps", entries.stream().map(PsCommand::document).toList())));
        } else {
            System.out.println(String.format(ROW, "ID", "BACKEND", "PID", "AGE", "COMMAND"));
            entries.stream().map(PsCommand::row).forEach(System.out::println);
        }
        return 0;
    }

    private static String id(HostLedger.Entry entry) {
        return entry.owner() + "." + entry.sandbox() + "." + entry.step().id();
    }

    private static Map<String, Object> document(HostLedger.Entry entry) {
        RunningStep step = entry.step();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", id(entry));
        document.put("command", step.command());
        document.put("backend", step.backend().id());
        document.put("age_ms", step.age().toMillis());
        document.put("pid", step.pid());
        return document;
    }

    private static String row(HostLedger.Entry entry) {
        RunningStep step = entry.step();
        return Problem.oneLine(
                String.format(ROW, id(entry), step.backend().id(), step.pid(), age(step.age()), step.command()));
    }

    /** As ps(1) writes it: {@code 03:07}, {@code 2:03:07}. */
    private static String age(Duration age) {
        String seconds = String.format("%02d:%02d", age.toMinutesPart(), age.toSecondsPart());
        return age.toHours() == 0 ? seconds : age.toHours() + ":" + seconds;
    }
}
