package dev.sandbox.app.http;

import dev.sandbox.domain.isolation.OutputSink;
import dev.sandbox.domain.isolation.TextSink;

/** One of a step's outputs on its way to a client. For one thread. */
final class StreamedOutput implements OutputSink {
    private final PendingEvents events;
    private final TextSink text;

    StreamedOutput(String name, PendingEvents events) {
        this.events = events;
        this.text = new TextSink(chunk -> events.add(name, chunk));
    }

    @Override
    public Demand accept(byte[] buffer, int offset, int length) {
        text.accept(buffer, offset, length);
        return demand();
    }

    @Override
    public Demand demand() {
        return events.isFull() ? Demand.PAUSE : Demand.MORE;
    }

    /** Hands on what the last chunk has cut. */
    void finish() {
        text.finish();
    }
}
