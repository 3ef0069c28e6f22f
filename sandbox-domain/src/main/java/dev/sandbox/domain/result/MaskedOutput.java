package dev.sandbox.domain.result;

import dev.sandbox.domain.isolation.OutputSink;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One stream under an {@link OutputMask}. Holds back only bytes that may turn out to be the beginning of a value, so that a prompt is
 * seen when it is printed. Not thread-safe.
 */
public final class MaskedOutput implements OutputSink {
    private static final byte[] STARS = "***".getBytes(StandardCharsets.US_ASCII);

    private final OutputMask mask;
    private final OutputSink sink;
    private byte[] pending = new byte[0];
    /** Which of the pending bytes belong to a value that is complete already. */
    private boolean[] covered = new boolean[0];

    private boolean inStars;

    MaskedOutput(OutputMask mask, OutputSink sink) {
        this.mask = mask;
        this.sink = sink;
    }

    @Override
    public Demand accept(byte[] buffer, int offset, int length) {
        int before = pending.length;
        pending = Arrays.copyOf(pending, before + length);
        System.arraycopy(buffer, offset, pending, before, length);
        covered = Arrays.copyOf(covered, pending.length);
        mask.cover(pending, pending.length, covered);
        return emit(mask.undecided(pending, pending.length));
    }

    /** The end of the stream: what was held back is no value. */
    public Demand finish() {
        return emit(pending.length);
    }

    private Demand emit(int decided) {
        byte[] out = new byte[decided * STARS.length];
        int size = 0;
        for (int i = 0; i < decided; i++) {
            if (!covered[i]) {
                out[size++] = pending[i];
            } else if (!inStars) {
                System.arraycopy(STARS, 0, out, size, STARS.length);
                size += STARS.length;
            }
            inStars = covered[i];
        }
        pending = Arrays.copyOfRange(pending, decided, pending.length);
        covered = Arrays.copyOfRange(covered, decided, covered.length);
        return size == 0 ? Demand.MORE : sink.accept(out, 0, size);
    }
}
