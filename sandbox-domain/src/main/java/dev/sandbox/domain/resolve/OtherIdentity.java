package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.FileDetails;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.path.Ownership;
import dev.sandbox.domain.policy.RunAs;
import dev.sandbox.domain.problem.Problem;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** As whom a step runs when its policy names somebody: only root may choose another than itself. */
final class OtherIdentity {
    private static final String KEY = "run_as";

    private final FileDetails details;
    private final Set<AbsolutePath> toCreate;
    private final List<Problem> problems;

    /** @param toCreate folders that do not exist yet: theirs is the owner of the one above */
    OtherIdentity(Host host, Set<AbsolutePath> toCreate, List<Problem> problems) {
        this.details = host.files().details();
        this.toCreate = toCreate;
        this.problems = problems;
    }

    /** Absent when the caller itself is meant; adds a problem when that may not be. */
    Optional<Identity> find(Optional<RunAs> wanted, AbsolutePath workDir) {
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        Optional<Identity> caller = details.caller();
        Optional<Identity> found = identity(wanted.get(), workDir);
        if (found.isEmpty()) {
            problem("\"owner\" cannot be told: nobody knows who owns " + workDir, "name a UID");
            return found;
        }
        if (found.equals(caller)) {
            return Optional.empty();
        }
        if (caller.filter(Identity::isRoot).isEmpty()) {
            String who = caller.map(identity -> "this account is " + identity).orElse("nobody knows this account");
            problem("\"" + found.get() + "\" is somebody else; " + who, "only root may name another: remove it");
        }
        return found;
    }

    private Optional<Identity> identity(RunAs wanted, AbsolutePath workDir) {
        if (wanted.uid().isPresent()) {
            long uid = wanted.uid().getAsLong();
            Optional<Identity> self = details.caller().filter(caller -> caller.uid() == uid);
            return Optional.of(new Identity(
                    uid, wanted.gid().orElse(self.map(Identity::gid).orElse(uid))));
        }
        AbsolutePath existing = workDir;
        while (toCreate.contains(existing)) {
            existing = existing.parent().orElse(AbsolutePath.ROOT);
        }
        return details.ownership(existing).map(Ownership::owner);
    }

    private void problem(String what, String fix) {
        problems.add(new Problem(KEY, what, fix));
    }
}
