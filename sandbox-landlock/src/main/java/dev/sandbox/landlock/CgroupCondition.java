package dev.sandbox.landlock;

import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.UserNamespaces;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.CgroupDelegation;
import dev.sandbox.linux.landlock.FsRight;
import dev.sandbox.linux.landlock.PathRule;
import java.nio.file.Path;
import java.util.Optional;

/** Under which a run's cgroup holds all of it: what a policy that requires {@code kill.tree} may not have as well. Pure. */
final class CgroupCondition {
    private CgroupCondition() {}

    /**
     * The folder in which the cgroups are made.
     *
     * @throws SandboxUnavailableException when the step could get out of one
     */
    static Path parent(SessionRequest request, RulesetPlan plan, CgroupDelegation delegation) {
        if (request.policy().policy().userNamespaces() == UserNamespaces.ALLOW) {
            throw refusal(
                    "user_namespaces: allow leaves clone3(2), by which a process leaves its cgroup", "user_namespaces");
        }
        Optional<PathRule> open = plan.rules().stream()
                .filter(rule -> rule.rights().contains(FsRight.WRITE_FILE))
                .filter(rule -> delegation.mounts().stream().anyMatch(mount -> overlap(rule.path(), mount)))
                .findFirst();
        if (open.isPresent()) {
            throw refusal(open.get().path() + " may be written to, and in it cgroups", "that write grant");
        }
        return delegation.usable().orElseThrow(() -> refusal("no cgroup can be made any more", "require: [kill.tree]"));
    }

    private static boolean overlap(AbsolutePath one, AbsolutePath other) {
        return one.contains(other) || other.contains(one);
    }

    private static SandboxUnavailableException refusal(String why, String removal) {
        return new SandboxUnavailableException(
                "landlock",
                "kill.tree cannot be held: " + why,
                "remove " + removal + ", or use the backend mountns or docker");
    }
}
