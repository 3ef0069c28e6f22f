package dev.sandbox.domain.policy;

import dev.sandbox.domain.ValueStyle;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.immutables.value.Value;

/** Bounds of one run. Absent means unbounded. Immutable. */
@Value.Immutable
@ValueStyle
public interface Limits {
    /** Wall time. */
    Optional<Duration> timeout();

    /** Bytes kept of each output stream. */
    @Value.Default
    default long output() {
        return 10L * 1024 * 1024;
    }

    /** Bytes of memory of the whole tree. */
    OptionalLong memory();

    /** Processes and threads at once. */
    OptionalLong processes();

    /** Bytes of the largest file that may be written. */
    OptionalLong fileSize();

    /** Open file descriptors of one process. */
    OptionalLong openFiles();

    /** Time on processors of one process, in whole seconds or rounded up to them. */
    Optional<Duration> cpuTime();

    static Builder builder() {
        return new Builder();
    }

    /** Builds {@link Limits}. */
    final class Builder extends ImmutableLimits.Builder {}
}
