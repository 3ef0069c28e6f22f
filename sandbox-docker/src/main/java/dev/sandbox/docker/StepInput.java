package dev.sandbox.docker;

import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.linux.InheritedStream;
import dev.sandbox.linux.LinuxSyscalls;
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
            case INHERIT -> new StepInput(inherited(), Optional.empty());
            case PIPE, TERMINAL -> {
                BytePipe pipe = new BytePipe();
                yield new StepInput(Optional.of(pipe.source()), Optional.of(pipe));
            }
        };
    }

    /** The bytes of the JVM's own, as native backends hand them on; no descriptor leaves the JVM. */
    private static Optional<InputStream> inherited() {
        return switch (InheritedStream.of(0, LinuxSyscalls.host())) {
            case SHARED, COPIED, COPIED_FROM_FILE -> Optional.of(new FileInputStream(FileDescriptor.in));
            case NONE -> Optional.empty();
        };
    }
}
