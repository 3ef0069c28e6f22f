package dev.sandbox.domain.result;

import dev.sandbox.domain.isolation.OutputSink;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/**
 * Replaces secret values in what a step prints by {@code ***}. A value is found as the bytes that it is in UTF-8, wherever the chunks
 * of a stream are cut; values that overlap or touch become one {@code ***}. Encoded, split by other bytes, or cut short by the step, a
 * value is not found. Immutable, thread-safe; {@link #toString} tells nothing.
 */
public final class OutputMask {
    private final List<byte[]> values;
    private final ValueAutomaton automaton;

    private OutputMask(List<byte[]> values) {
        this.values = values;
        this.automaton = new ValueAutomaton(values);
    }

    /** One for these values; none of them is empty. */
    public static OutputMask of(Collection<String> values) {
        return new OutputMask(values.stream()
                .distinct()
                .map(value -> value.getBytes(StandardCharsets.UTF_8))
                .toList());
    }

    /** True when there is nothing to hide. */
    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** A stream on its way to a sink; to be finished when it ends. */
    public MaskedOutput over(OutputSink sink) {
        return new MaskedOutput(automaton, sink);
    }

    /** A text without the values. */
    public String text(String text) {
        if (isEmpty()) {
            return text;
        }
        CapturedOutput masked = new CapturedOutput(Integer.MAX_VALUE);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MaskedOutput output = over(masked);
        output.accept(bytes, 0, bytes.length);
        output.finish();
        return masked.text();
    }

    /** A result whose texts, the streams apart, are without the values. */
    public ExecutionResult result(ExecutionResult result) {
        return ExecutionResult.builder()
                .from(result)
                .command(text(result.command()))
                .error(result.error()
                        .map(error -> new RunError(error.code(), text(error.message()), text(error.fix()))))
                .denials(result.denials().stream().map(this::denial).toList())
                .notes(result.notes().stream().map(this::text).toList())
                .build();
    }

    private Denial denial(Denial denial) {
        return new Denial(
                text(denial.path()), denial.operation(), denial.source(), text(denial.rule()), text(denial.fix()));
    }

    @Override
    public String toString() {
        return "OutputMask of " + values.size() + " values";
    }
}
