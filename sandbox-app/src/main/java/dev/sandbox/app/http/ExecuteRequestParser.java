package dev.sandbox.app.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sandbox.app.config.EnvironmentEntry;
import dev.sandbox.app.config.Nearest;
import dev.sandbox.app.service.StepOrder;
import dev.sandbox.domain.problem.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the body of {@code POST /api/execute}. Strict: an unknown key is an error that names the nearest known one. */
final class ExecuteRequestParser {
    static final List<String> KEYS =
            List.of("command", "working_directory", "timeout", "folder_guard", "extra_env", "policy");
    static final List<String> GUARD_KEYS =
            List.of("enabled", "read_paths", "write_paths", "blocked_paths", "blocked_write_paths");
    private static final double MOST_SECONDS = 1e9;

    private ExecuteRequestParser() {}

    /**
     * Reads it.
     *
     * @throws Refusal 400, with what is wrong and where
     */
    static StepOrder parse(byte[] body) {
        JsonNode document = StrictJson.read(body);
        if (!document.isObject()) {
            throw Refusal.badRequest("the body is not a JSON object");
        }
        requireKnown("", document, KEYS);
        List<String> notes = new ArrayList<>();
        return new StepOrder(
                text(document, "command").orElseThrow(() -> Refusal.badRequest("command: is missing")),
                text(document, "working_directory"),
                timeout(document.path("timeout")),
                guard(document.path("folder_guard"), notes),
                variables(document.path("extra_env")),
                Optional.of(document.path("policy")).filter(policy -> !isAbsent(policy)),
                notes);
    }

    private static void requireKnown(String prefix, JsonNode node, List<String> known) {
        node.fieldNames().forEachRemaining(key -> {
            if (!known.contains(key)) {
                throw Refusal.badRequest(prefix + key + ": is not a key; " + Nearest.hint(prefix, known, key));
            }
        });
    }

    private static Optional<String> text(JsonNode document, String key) {
        JsonNode node = document.path(key);
        if (isAbsent(node)) {
            return Optional.empty();
        }
        if (!node.isTextual()) {
            throw Refusal.badRequest(key + ": is not a text");
        }
        return Optional.of(node.asText());
    }

    private static Optional<Duration> timeout(JsonNode node) {
        if (isAbsent(node)) {
            return Optional.empty();
        }
        if (!node.isNumber()) {
            throw Refusal.badRequest("timeout: is not a number of seconds");
        }
        double seconds = node.doubleValue();
        if (!(seconds >= 0 && seconds <= MOST_SECONDS)) {
            throw Refusal.badRequest("timeout: is not between 0 and the server's maximum");
        }
        Duration time = Duration.ofMillis(Math.round(seconds * 1000));
        if (time.isZero() && seconds > 0) {
            throw Refusal.badRequest("timeout: is less than a millisecond");
        }
        return Optional.of(time);
    }

    private static Optional<StepOrder.FolderGuard> guard(JsonNode node, List<String> notes) {
        if (isAbsent(node)) {
            return Optional.empty();
        }
        if (!node.isObject()) {
            throw Refusal.badRequest("folder_guard: is not an object");
        }
        requireKnown("folder_guard.", node, GUARD_KEYS);
        JsonNode enabled = node.path("enabled");
        if (!isAbsent(enabled) && !enabled.isBoolean()) {
            throw Refusal.badRequest("folder_guard.enabled: is not true or false");
        }
        StepOrder.FolderGuard guard = new StepOrder.FolderGuard(
                texts(node, "read_paths"),
                texts(node, "write_paths"),
                texts(node, "blocked_paths"),
                texts(node, "blocked_write_paths"));
        if (enabled.isBoolean() && !enabled.booleanValue()) {
            notes.add("folder_guard: not enabled; the server's default policy applies, never none");
            return Optional.empty();
        }
        return Optional.of(guard);
    }

    private static List<String> texts(JsonNode guard, String key) {
        JsonNode list = guard.path(key);
        List<String> texts = new ArrayList<>();
        if (isAbsent(list)) {
            return texts;
        }
        if (!list.isArray()) {
            throw Refusal.badRequest("folder_guard." + key + ": is not a list of texts");
        }
        for (JsonNode entry : list) {
            if (!entry.isTextual()) {
                throw Refusal.badRequest("folder_guard." + key + "[" + texts.size() + "]: is not a text");
            }
            texts.add(entry.asText());
        }
        return texts;
    }

    private static Map<String, String> variables(JsonNode node) {
        Map<String, String> variables = new LinkedHashMap<>();
        if (isAbsent(node)) {
            return variables;
        }
        if (!node.isObject()) {
            throw Refusal.badRequest("extra_env: is not an object of names and texts");
        }
        node.properties().forEach(entry -> {
            String name = entry.getKey();
            if (!entry.getValue().isTextual()) {
                throw Refusal.badRequest("extra_env." + name + ": is not a text");
            }
            String value = entry.getValue().asText();
            Optional<Problem> problem = EnvironmentEntry.problem("extra_env", name, value);
            if (problem.isPresent()) {
                throw Refusal.badRequest(problem.get().line());
            }
            variables.put(name, value);
        });
        return variables;
    }

    private static boolean isAbsent(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }
}
