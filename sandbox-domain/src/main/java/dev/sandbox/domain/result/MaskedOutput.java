package dev.sandbox.domain.result;

import dev.sandbox.domain.isolation.OutputSink;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One stream under an {@link OutputMask}. Holds back only bytes that may turn out to be the beginning of a value, so that a prompt is
 * seen when it is printed. Each byte is looked at once, and handed on or hidden once. Not thread-safe.
 */
public final class MaskedOutput implements OutputSink {
    private static final byte[] STARS = "***".getBytes(StandardCharsets.US_ASCII);

    private final ValueAutomaton automaton;
    private final OutputSink sink;
    private int state = ValueAutomaton.START;
    private byte[] pending = new byte[0];
    /** Where the longest value ends that begins at a pending byte, as an index of pending bytes; 0: none begins there. */
    private int[] ends = new int[0];
    /** How many of the pending bytes belong to a value that began before them. */
    private int covered;

    private boolean inStars;

    MaskedOutput(ValueAutomaton automaton, OutputSink sink) {
        this.automaton = automaton;
        this.sink = sink;
    }

    @Override
    public Demand accept(byte[] buffer, int offset, int length) {
        int size = pending.length;
        pending = Arrays.copyOf(pending, size + length);
        ends = Arrays.copyOf(ends, size + length);
        System.arraycopy(buffer, offset, pending, size, length);
        for (int at = size; at < pending.length; at++) {
            state = automaton.next(state, pending[at]);
            int match = automaton.match(state);
            if (match > 0) {
                // Its beginning is still pending: every state since has kept it open.
                ends[at + 1 - match] = at + 1;
            }
        }
        return emit(pending.length - automaton.open(state));
    }

    @Override
    public Demand demand() {
        return sink.demand();
    }

    /** The end of the stream: what was held back is no value. */
    public Demand finish() {
        state = ValueAutomaton.START;
        return emit(pending.length);
    }

    private Demand emit(int decided) {
        byte[] out = new byte[decided * STARS.length];
        int size = 0;
        for (int i = 0; i < decided; i++) {
            covered = Math.max(covered, ends[i]);
            if (covered <= i) {
                out[size++] = pending[i];
            } else if (!inStars) {
                System.arraycopy(STARS, 0, out, size, STARS.length);
                size += STARS.length;
            }
            inStars = covered > i;
        }
        keepFrom(decided);
        return size == 0 ? Demand.MORE : sink.accept(out, 0, size);
    }

    private void keepFrom(int decided) {
        pending = Arrays.copyOfRange(pending, decided, pending.length);
        ends = Arrays.copyOfRange(ends, decided, ends.length);
        for (int i = 0; i < ends.length; i++) {
            ends[i] = Math.max(0, ends[i] - decided);
        }
        covered = Math.max(0, covered - decided);
    }
}
