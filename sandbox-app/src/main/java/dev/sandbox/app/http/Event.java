package dev.sandbox.app.http;

import dev.sandbox.domain.result.ExecutionResult;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One server-sent event.
 *
 * @param name its type
 * @param data its document
 * @param result of a command that ran, with the last event
 * @param refusal of one that did not, with the last event
 */
record Event(
        String name,
        Map<String, Object> data,
        @Nullable ExecutionResult result,
        @Nullable Reply refusal) {
    /** Some of the step's output. */
    static Event of(String name, String text) {
        return new Event(name, Map.of("text", text), null, null);
    }

    /** The last one of a command that ran. */
    static Event of(ExecutionResult result, Reply reply) {
        return new Event("result", reply.document(), result, null);
    }

    /** The last one of a command that did not. */
    static Event of(Reply refusal) {
        return new Event("error", refusal.document(), null, refusal);
    }

    boolean isLast() {
        return result != null || refusal != null;
    }
}
