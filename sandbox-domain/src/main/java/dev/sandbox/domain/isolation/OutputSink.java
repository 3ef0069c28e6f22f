package dev.sandbox.domain.isolation;

/** Takes what a step prints, chunk by chunk, on the thread that pumps and keeps the time; must not block for long. */
@FunctionalInterface
public interface OutputSink {
    /** Whether the run may go on printing. */
    enum Demand {
        /** Send more. */
        MORE,
        /** Send no more for now: the step waits, its timeout does not. {@link #demand} is asked again soon. */
        PAUSE,
        /** The limit is reached: end the run ({@code output_limit}). */
        END_RUN
    }

    /**
     * Takes {@code length} bytes of {@code buffer} from {@code offset}; the buffer is reused after the call returns. All of it is
     * taken, whatever the answer; once the step has ended, what is left in its pipe comes even after {@link Demand#PAUSE}.
     */
    Demand accept(byte[] buffer, int offset, int length);

    /** Asked before more is read. For a sink whose own reader can be slow: it holds back the step, and need not keep all or block. */
    default Demand demand() {
        return Demand.MORE;
    }
}
