package dev.sandbox.linux;

import dev.sandbox.domain.isolation.Completion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What of a step's streams is copied to and from the JVM's own, from its start to its end. Thread-safe. */
final class CopiedStreams {
    private final Optional<CopiedInput> input;
    private final List<CopiedOutput> outputs = new ArrayList<>();
    private boolean finished;

    private CopiedStreams(Optional<CopiedInput> input) {
        this.input = input;
    }

    /** Begins, once the child has its own ends. */
    static CopiedStreams start(RawSyscalls syscalls, ChildStreams streams) {
        CopiedStreams copied = new CopiedStreams(
                streams.copiedInput().map(pipe -> CopiedInput.start(syscalls, pipe, streams.inputKind())));
        streams.copiedOutputs().forEach((own, source) -> copied.outputs.add(CopiedOutput.start(syscalls, source, own)));
        return copied;
    }

    /** Once the whole tree has ended; further calls do nothing. */
    synchronized void finish() {
        if (!finished) {
            finished = true;
            outputs.forEach(CopiedOutput::finish);
            input.ifPresent(CopiedInput::finish);
        }
    }

    /** As {@link #finish()}, and tells in the completion what went wrong. */
    Completion finish(Completion completion) {
        finish();
        List<String> notes = new ArrayList<>();
        input.flatMap(CopiedInput::failure).ifPresent(notes::add);
        outputs.forEach(output -> output.failure().ifPresent(notes::add));
        Completion told = completion;
        for (String note : notes) {
            told = told.withNote(note);
        }
        return told;
    }
}
