package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.Problem;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Finds rules of one policy that cannot both be meant. */
final class Contradictions {
    private Contradictions() {}

    /** @param policyFile where the policy was read from: the name, and where it leads */
    static void find(Collection<AccessRule> rules, Set<AbsolutePath> policyFile, List<Problem> problems) {
        for (AccessRule grant : rules) {
            if (grant.access().isBlock()) {
                continue;
            }
            if (grant.source().index() >= 0) {
                rules.stream()
                        .filter(block -> contradicts(grant, block))
                        .forEach(block -> problems.add(contradiction(grant, block)));
            }
            policyFile.stream()
                    .filter(file -> handsOver(grant, file, rules))
                    .findFirst()
                    .ifPresent(file -> problems.add(new Problem(
                            grant.source().where(),
                            "\"" + grant.source().written() + "\" lets the step rewrite its own policy " + file,
                            "keep the policy outside the write grants, or add it to blocked_write_paths")));
        }
    }

    private static boolean contradicts(AccessRule grant, AccessRule block) {
        boolean concerned = block.access() == Access.BLOCKED
                || (block.access() == Access.BLOCKED_WRITE && grant.access() == Access.WRITE);
        return concerned && block.path().contains(grant.path());
    }

    private static Problem contradiction(AccessRule grant, AccessRule block) {
        return new Problem(
                grant.source().where(),
                "\"" + grant.source().written() + "\" lies inside " + block.source() + ", which wins over every grant",
                "remove one of the two");
    }

    private static boolean handsOver(AccessRule grant, AbsolutePath policyFile, Collection<AccessRule> rules) {
        return grant.access() == Access.WRITE
                && grant.covers(policyFile)
                && rules.stream().noneMatch(rule -> rule.access().isBlock() && rule.covers(policyFile));
    }
}
