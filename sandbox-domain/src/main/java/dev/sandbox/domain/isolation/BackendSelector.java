package dev.sandbox.domain.isolation;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Takes the first backend that holds every needed guarantee, or refuses. There is no third way. Stateless. */
public final class BackendSelector {
    private BackendSelector() {}

    /**
     * The first candidate, in the order given, that has all of {@code needed}; those behind it are not assessed.
     *
     * @param wanted narrows the candidates to one
     * @throws SandboxUnavailableException naming, for each candidate, every missing guarantee and what would give it
     */
    public static IsolationBackend select(
            List<IsolationBackend> candidates, Optional<BackendName> wanted, Set<Guarantee> needed) {
        return select(candidates, wanted, needed, IsolationBackend::assess);
    }

    /** As {@link #select(List, Optional, Set)}, for a policy, and what each candidate can do for it. */
    public static IsolationBackend select(
            List<IsolationBackend> candidates, SandboxPolicy policy, Set<Guarantee> needed) {
        return select(candidates, policy.backend(), needed, candidate -> candidate.assess(policy));
    }

    private static IsolationBackend select(
            List<IsolationBackend> candidates,
            Optional<BackendName> wanted,
            Set<Guarantee> needed,
            Function<IsolationBackend, BackendAssessment> assess) {
        List<Problem> refusals = new ArrayList<>();
        for (IsolationBackend candidate : candidates) {
            if (wanted.isPresent() && wanted.get() != candidate.name()) {
                continue;
            }
            BackendAssessment assessment = assess.apply(candidate);
            List<Guarantee> missing = assessment.missing(needed);
            if (missing.isEmpty()) {
                return candidate;
            }
            refusals.add(refusal(assessment, missing));
        }
        if (refusals.isEmpty()) {
            String name = wanted.map(BackendName::id).orElse("any backend");
            throw new SandboxUnavailableException(
                    "", name + " is not part of this installation", "choose another backend");
        }
        throw new SandboxUnavailableException(refusals);
    }

    private static Problem refusal(BackendAssessment assessment, List<Guarantee> missing) {
        String lacks = missing.stream()
                .collect(Collectors.groupingBy(
                        guarantee -> assessment.promise(guarantee).reason(),
                        LinkedHashMap::new,
                        Collectors.mapping(Guarantee::id, Collectors.joining(", "))))
                .entrySet()
                .stream()
                .map(group -> group.getValue() + " (" + group.getKey() + ")")
                .collect(Collectors.joining(", "));
        String remedy = missing.stream()
                .map(guarantee -> assessment.promise(guarantee).remedy())
                .filter(text -> !text.isEmpty())
                .distinct()
                .collect(Collectors.joining(", and "));
        return new Problem(assessment.backend().id(), "lacks " + lacks, remedy);
    }
}
