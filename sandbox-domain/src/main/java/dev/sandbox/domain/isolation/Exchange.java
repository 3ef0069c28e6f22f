package dev.sandbox.domain.isolation;

import dev.sandbox.domain.ValueStyle;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import org.immutables.value.Value;

/** What is moved to and from a process while it is waited for, and how long. Immutable; the sinks are the caller's. */
@Value.Immutable
@ValueStyle
public interface Exchange {
    /** What is fed to a piped or terminal standard input, on a thread of its own; absent: nothing. The caller closes it. */
    Optional<InputStream> input();

    /** Where standard output goes. */
    OutputSink stdout();

    /** Where standard error goes. */
    OutputSink stderr();

    /** Wall time after which the tree is ended; absent: none. */
    Optional<Duration> timeout();

    /** Between SIGTERM and SIGKILL. */
    @Value.Default
    default Duration grace() {
        return Duration.ofSeconds(2);
    }

    /** How long the pipes are still read after the main process ended while a background child holds them open. */
    @Value.Default
    default Duration drain() {
        return Duration.ofMillis(500);
    }

    static Builder builder() {
        return new Builder();
    }

    /** Builds an {@link Exchange}. */
    final class Builder extends ImmutableExchange.Builder {}
}
