package dev.sandbox.docker;

import dev.sandbox.domain.isolation.Stdio;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.InputStream;
import java.util.Optional;

/** A step's standard input: where the engine reads it from, and where the caller writes it. */
record StepInput(Optional<InputStream> source, Optional<BytePipe> pipe) {
    static StepInput of(Stdio stdin) {
        return switch (stdin) {
            case MERGED -> throw new IllegalArgumentException("an input cannot be merged");
            case NULL -> new StepInput(Optional.empty(), Optional.empty());
            case INHERIT -> new StepInput(Optional.of(new FileInputStream(FileDescriptor.in)), Optional.empty());
            case PIPE, TERMINAL -> {
                BytePipe pipe = new BytePipe();
                yield new StepInput(Optional.of(pipe.source()), Optional.of(pipe));
            }
        };
    }
}
