package dev.sandbox.domain.isolation;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.path.AbsolutePath;
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
     * What was taken.
     *
     * @param backend the first that fits
     * @param notes why one before it was passed over though it holds the guarantees, for people
     */
    public record Choice(IsolationBackend backend, List<String> notes) {
        public Choice {
            notes = List.copyOf(notes);
        }
    }

    /** As {@link #choose}, where nothing is exposed. */
    public static IsolationBackend select(
            List<IsolationBackend> candidates, Optional<BackendName> wanted, Set<Guarantee> needed) {
        return choose(candidates, wanted, needed, Optional.empty()).backend();
    }

    /**
     * The first candidate, in the order given, that has all of {@code needed}; those behind it are not assessed.
     *
     * @param wanted narrows the candidates to one
     * @param exposed a socket that hands over the host to a step that can see it; only backends that hide it are taken
     * @throws SandboxUnavailableException naming, for each candidate, every missing guarantee and what would give it
     */
    public static Choice choose(
            List<IsolationBackend> candidates,
            Optional<BackendName> wanted,
            Set<Guarantee> needed,
            Optional<AbsolutePath> exposed) {
        return choose(candidates, wanted, needed, exposed, IsolationBackend::assess);
    }

    /** As {@link #choose(List, Optional, Set, Optional)}, for a policy, and what each candidate can do for it. */
    public static Choice choose(
            List<IsolationBackend> candidates,
            SandboxPolicy policy,
            Set<Guarantee> needed,
            Optional<AbsolutePath> exposed) {
        return choose(candidates, policy.backend(), needed, exposed, candidate -> candidate.assess(policy));
    }

    private static Choice choose(
            List<IsolationBackend> candidates,
            Optional<BackendName> wanted,
            Set<Guarantee> needed,
            Optional<AbsolutePath> exposed,
            Function<IsolationBackend, BackendAssessment> assess) {
        List<Problem> refusals = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (IsolationBackend candidate : candidates) {
            if (wanted.isPresent() && !wanted.get().equals(candidate.name())) {
                continue;
            }
            BackendAssessment assessment = assess.apply(candidate);
            List<Guarantee> missing = assessment.missing(needed);
            if (!missing.isEmpty()) {
                refusals.add(refusal(assessment, missing));
            } else if (exposed.isPresent() && !assessment.hidesWhatIsNotGranted()) {
                String what = "would leave the socket " + exposed.get() + " in reach of uid 0, and with it the host";
                refusals.add(new Problem(
                        candidate.name().id(),
                        what,
                        "use a backend that hides it, require: [unix.scope], run_as an ordinary account, or name the"
                                + " backend"));
                notes.add(candidate.name().id() + " was passed over: it " + what);
            } else {
                return new Choice(candidate, notes);
            }
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
