package dev.sandbox.app.config;

import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.ImpliedGuarantees;
import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which backend would enforce a policy here, and where it does less than the verdicts say.
 *
 * @param backend the one that would be chosen; absent when all refuse
 * @param weaker what it does not stop, for people
 * @param refusal why none would be chosen
 */
public record Enforcement(Optional<BackendName> backend, List<String> weaker, Optional<String> refusal) {
    /** What matters for a verdict about a path; the rest is told by doctor. */
    private static final List<Guarantee> ABOUT_PATHS = List.of(
            Guarantee.FS_READ, Guarantee.FS_WRITE, Guarantee.FS_CARVE_OUT, Guarantee.FS_METADATA, Guarantee.UNIX_SCOPE);

    /** Asks the backends, each of which proves itself. */
    public static Enforcement of(StandardSandbox sandbox, ResolvedPolicy resolved) {
        try {
            Set<Guarantee> needed = ImpliedGuarantees.of(resolved);
            BackendAssessment chosen = sandbox.choose(resolved).backend().assess(resolved.policy());
            List<String> weaker = weaknesses(chosen, needed);
            if (!chosen.promise(Guarantee.FS_CARVE_OUT).isHeld()
                    && resolved.rules().stream().anyMatch(AccessRule::isTrustHandoff)) {
                weaker.add("trust_handoff: what is blocked by it is not, but told of after the run when it changed");
            }
            return new Enforcement(
                    Optional.of(chosen.backend()), Collections.unmodifiableList(weaker), Optional.empty());
        } catch (SandboxUnavailableException e) {
            return new Enforcement(Optional.empty(), List.of(), Optional.ofNullable(e.getMessage()));
        }
    }

    private static List<String> weaknesses(BackendAssessment chosen, Set<Guarantee> needed) {
        List<String> weaker = new ArrayList<>();
        for (Guarantee guarantee : ABOUT_PATHS) {
            if (!chosen.held(needed).contains(guarantee)) {
                weaker.add(guarantee.id() + ": " + chosen.promise(guarantee).reason());
            }
        }
        return weaker;
    }

    /** For people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        backend.ifPresent(
                name -> lines.add("enforced by " + name.id() + (weaker.isEmpty() ? "" : ", which is weaker in this:")));
        weaker.forEach(weakness -> lines.add("  " + weakness));
        refusal.ifPresent(lines::add);
        return Collections.unmodifiableList(lines);
    }
}
