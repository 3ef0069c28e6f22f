package dev.sandbox.domain.result;

import dev.sandbox.domain.ValueStyle;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.isolation.BackendName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.immutables.value.Value;

/** What came of a run. A command's own failure is a result, never an exception. Immutable. */
@Value.Immutable
@ValueStyle
public interface ExecutionResult {
    /** As a shell gives it: the command's own, 128+N when killed by signal N, 124 on timeout, 126, 127. */
    int exitCode();

    /** The signal that killed the command. */
    OptionalInt signal();

    /** Why the run ended. */
    Termination termination();

    /** Why the command did not start; there if and only if it did not. */
    Optional<RunError> error();

    /** Standard output, decoded as UTF-8; empty when it was passed through. */
    @Value.Default
    default String stdout() {
        return "";
    }

    /** Standard error, decoded as UTF-8; empty when it was passed through. */
    @Value.Default
    default String stderr() {
        return "";
    }

    /** True when the middle of standard output was left out. */
    @Value.Default
    default boolean stdoutTruncated() {
        return false;
    }

    /** True when the middle of standard error was left out. */
    @Value.Default
    default boolean stderrTruncated() {
        return false;
    }

    /** Wall time from start to end. */
    Duration executionTime();

    /** Which backend enforced the policy. */
    BackendName backend();

    /** What that backend guaranteed. */
    List<Guarantee> guarantees();

    /** The command as written. */
    String command();

    /** What was kept from the step, as far as known. */
    List<Denial> denials();

    /** What else the user should know: skipped grants, PATH entries left out, children ended. */
    List<String> notes();

    /** Digest and backend detail. */
    Receipt receipt();

    static Builder builder() {
        return new Builder();
    }

    /** Builds an {@link ExecutionResult}. */
    final class Builder extends ImmutableExecutionResult.Builder {}
}
