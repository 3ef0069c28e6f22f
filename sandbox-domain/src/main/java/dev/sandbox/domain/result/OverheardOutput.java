package dev.sandbox.domain.result;

import dev.sandbox.domain.isolation.OutputSink;

/** Hands everything on to one sink, and lets another listen that never holds anything back. */
public final class OverheardOutput implements OutputSink {
    private final OutputSink target;
    private final CapturedOutput listener;

    /** Over both. */
    public OverheardOutput(OutputSink target, CapturedOutput listener) {
        this.target = target;
        this.listener = listener;
    }

    @Override
    public Demand accept(byte[] buffer, int offset, int length) {
        listener.accept(buffer, offset, length);
        return target.accept(buffer, offset, length);
    }

    @Override
    public Demand demand() {
        return target.demand();
    }
}
