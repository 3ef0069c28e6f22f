package dev.sandbox.app.http;

import dev.sandbox.app.config.ResultDocument;
import dev.sandbox.app.service.StepObserver;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.result.ExecutionResult;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The last runs, without their output. Kept in memory only. Thread-safe. */
final class RecentRuns implements StepObserver {
    private static final int KEPT = 50;
    private static final int COMMAND_KEPT = 200;
    private static final int DENIALS_KEPT = 20;

    private final Clock clock;
    private final Deque<Map<String, Object>> runs = new ArrayDeque<>();

    /** None yet. */
    RecentRuns(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void ran(ExecutionResult result) {
        Map<String, Object> whole = Reply.data(result, ResultDocument.Streams.LEFT_OUT);
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("ended_at", clock.instant().toString());
        run.put("command", shortened(result.command()));
        for (String key : List.of("exit_code", "signal", "termination", "execution_time_ms", "backend", "notes")) {
            run.put(key, whole.get(key));
        }
        List<?> denials = whole.get("denials") instanceof List<?> list ? list : List.of();
        run.put("denials", List.copyOf(denials.subList(0, Math.min(DENIALS_KEPT, denials.size()))));
        synchronized (runs) {
            if (runs.size() == KEPT) {
                runs.removeLast();
            }
            runs.addFirst(run);
        }
    }

    @Override
    public void refused(SandboxException reason) {}

    private static String shortened(String command) {
        return command.length() <= COMMAND_KEPT ? command : command.substring(0, COMMAND_KEPT) + "...";
    }

    /** The latest first. */
    List<Map<String, Object>> list() {
        synchronized (runs) {
            return new ArrayList<>(runs);
        }
    }
}
