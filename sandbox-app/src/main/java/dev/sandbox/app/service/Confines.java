package dev.sandbox.app.service;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Where the paths of a request may lie: in base_dir, and in what the server was started with besides. Immutable. */
public final class Confines {
    private static final String FIX = "start the server with --allow-outside DIR, or name a path in its base_dir";

    private final Set<AbsolutePath> roots;

    private Confines(Set<AbsolutePath> roots) {
        this.roots = roots;
    }

    /**
     * Confines.
     *
     * @param asWritten the folders; a request may use this spelling
     * @param canonical the same without links
     */
    public static Confines of(List<AbsolutePath> asWritten, List<AbsolutePath> canonical) {
        Set<AbsolutePath> roots = new LinkedHashSet<>(asWritten);
        roots.addAll(canonical);
        return new Confines(roots);
    }

    /** What is wrong with a path as it is written, before anything on the host is looked at. */
    Optional<Problem> problem(String where, String written, AbsolutePath baseDir) {
        try {
            for (AbsolutePath step : steps(baseDir, written)) {
                if (!contains(step)) {
                    return Optional.of(
                            new Problem(where, "\"" + written + "\" lies outside the server's base_dir", FIX));
                }
            }
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(new Problem(where, "\"" + written + "\" " + e.getMessage(), ""));
        }
    }

    /** Where a text stands at each {@code ..} and at its end, by its words alone: one that leaves and comes back is refused, too. */
    private static List<AbsolutePath> steps(AbsolutePath baseDir, String written) {
        List<AbsolutePath> steps = new ArrayList<>();
        AbsolutePath reached = written.startsWith("/") ? AbsolutePath.ROOT : baseDir;
        for (String name : written.split("/", -1)) {
            if (name.equals("..")) {
                reached = reached.parent().orElse(AbsolutePath.ROOT);
                steps.add(reached);
            } else {
                reached = reached.resolve(name);
            }
        }
        steps.add(reached);
        return steps;
    }

    /**
     * Looks at where the paths of a request lead.
     *
     * @param requested the paths of the request, as written
     * @throws PolicyInvalidException when one leads outside
     */
    void require(Set<String> requested, ResolvedPolicy resolved) {
        List<Problem> problems = new ArrayList<>();
        for (AccessRule rule : resolved.rules()) {
            boolean asked = rule.source().index() >= 0
                    && requested.contains(rule.source().written());
            if (asked && !contains(rule.path())) {
                problems.add(outside(rule.source().where(), rule.source().written()));
            }
        }
        String workDir = resolved.policy().workDir();
        if (requested.contains(workDir) && !contains(resolved.workDir())) {
            problems.add(outside("work_dir", workDir));
        }
        resolved.policy()
                .cacheDir()
                .filter(cacheDir -> requested.contains(cacheDir)
                        && resolved.cacheBase().filter(base -> !contains(base)).isPresent())
                .ifPresent(cacheDir -> problems.add(outside("cache_dir", cacheDir)));
        if (!problems.isEmpty()) {
            throw new PolicyInvalidException(problems);
        }
    }

    private static Problem outside(String where, String written) {
        return new Problem(where, "\"" + written + "\" leads outside the server's base_dir", FIX);
    }

    private boolean contains(AbsolutePath path) {
        return roots.stream().anyMatch(root -> root.contains(path));
    }

    @Override
    public String toString() {
        return roots.toString();
    }
}
