package dev.sandbox.domain.isolation;

/** Takes what a step prints, chunk by chunk, on the thread that pumps; must not block for long. */
@FunctionalInterface
public interface OutputSink {
    /** Whether the run may go on printing. */
    enum Demand {
        /** Send more. */
        MORE,
        /** The limit is reached: end the run ({@code output_limit}). */
        END_RUN
    }

    /** Takes {@code length} bytes of {@code buffer} from {@code offset}; the buffer is reused after the call returns. */
    Demand accept(byte[] buffer, int offset, int length);
}
