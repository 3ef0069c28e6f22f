package dev.sandbox.app.service;

import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether the default policy can be enforced here, now, by this process under its own identity: the backend that would be used
 * proves itself anew by a real child. Remembered for a while; a bad state for a shorter one. Thread-safe: one asks, others wait.
 */
public final class SandboxHealth {
    private static final Duration GOOD_FOR = Duration.ofSeconds(30);
    private static final Duration BAD_FOR = Duration.ofSeconds(2);

    private final CurrentSandbox sandbox;
    private final SandboxPolicy standard;
    private final LongSupplier nanoTime;
    private @Nullable State state;
    private long asOf;

    /**
     * What was found.
     *
     * @param backend which would enforce it; absent when none can
     * @param detail capabilities for people; never a path or a secret
     */
    public record State(Optional<BackendName> backend, String detail) {
        /** True when steps can run. */
        public boolean isAvailable() {
            return backend.isPresent();
        }
    }

    /**
     * Health of one service.
     *
     * @param nanoTime a monotonic clock, in nanoseconds
     */
    public SandboxHealth(CurrentSandbox sandbox, SandboxPolicy standard, LongSupplier nanoTime) {
        this.sandbox = sandbox;
        this.standard = standard;
        this.nanoTime = nanoTime;
    }

    /** The state, not older than half a minute. */
    public synchronized State state() {
        long now = nanoTime.getAsLong();
        State known = state;
        if (known == null) {
            known = refreshed(sandbox.get(), now);
        } else if (now - asOf > (known.isAvailable() ? GOOD_FOR : BAD_FOR).toNanos()) {
            StandardSandbox fresh = sandbox.fresh();
            boolean wasDown = !known.isAvailable();
            known = refreshed(fresh, now);
            if (wasDown && known.isAvailable()) {
                sandbox.replaceWhenIdle(fresh);
            }
        }
        return known;
    }

    private State refreshed(StandardSandbox candidate, long now) {
        State found = examine(candidate);
        state = found;
        asOf = now;
        return found;
    }

    private State examine(StandardSandbox candidate) {
        try {
            ResolvedPolicy resolved = candidate.resolve(standard);
            BackendAssessment chosen = candidate.choose(resolved).backend().assess(standard);
            return new State(Optional.of(chosen.backend()), chosen.detail());
        } catch (SandboxUnavailableException e) {
            return new State(
                    Optional.empty(),
                    e.problems().stream().map(SandboxHealth::withoutPaths).collect(Collectors.joining("; ")));
        } catch (SandboxException e) {
            return new State(Optional.empty(), "the default policy is not valid on this host");
        }
    }

    /** A refusal names capabilities; what looks like a path in it is left out all the same. */
    private static String withoutPaths(Problem problem) {
        String text = problem.where() + (problem.where().isEmpty() ? "" : ": ") + problem.what();
        return text.replaceAll("(^|[\\s\"(:=])/[^\\s\",;)]+", "$1[path]");
    }
}
