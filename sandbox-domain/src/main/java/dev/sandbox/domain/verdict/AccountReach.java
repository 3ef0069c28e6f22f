package dev.sandbox.domain.verdict;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.FileDetails;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.path.Ownership;
import dev.sandbox.domain.path.Ownership.Right;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import java.util.Optional;

/**
 * What the policy grants and the step's account may not have. Looked at for a caller that is root alone: without its capabilities it
 * is one account among others, which nobody expects of root. Of the account's groups only the first is known.
 */
final class AccountReach {
    private final FileDetails details;
    private final Optional<Identity> account;
    private final boolean plainRoot;

    AccountReach(ResolvedPolicy policy, FileDetails details) {
        this.details = details;
        Optional<Identity> root = details.caller().filter(Identity::isRoot);
        this.account = root.map(caller -> policy.runAs().orElse(caller));
        this.plainRoot = root.isPresent() && policy.runAs().isEmpty();
    }

    /**
     * What is in the way.
     *
     * @param reason for people
     * @param fix the line of policy that would help; empty when none is known
     */
    record Obstacle(String reason, String fix) {}

    /** The outermost obstacle to an operation on a canonical path. */
    Optional<Obstacle> obstacle(AbsolutePath path, Operation operation) {
        if (account.isEmpty()) {
            return Optional.empty();
        }
        Optional<Obstacle> above = path.ancestors().stream()
                .flatMap(folder -> obstacle(folder, Right.PASS, "be entered by").stream())
                .findFirst();
        if (above.isPresent()) {
            return above;
        }
        return switch (operation) {
            case READ, LIST -> obstacle(path, Right.READ, "be read by");
            case EXEC -> obstacle(path, Right.PASS, "be executed by");
            case WRITE -> obstacle(path, Right.WRITE, "be written by");
            case CREATE -> path.parent().flatMap(folder -> obstacle(folder, Right.WRITE, "be written by"));
        };
    }

    private Optional<Obstacle> obstacle(AbsolutePath place, Right right, String verb) {
        Identity who = account.orElseThrow();
        return details.ownership(place)
                .filter(found -> !found.allows(who, right))
                .map(found -> new Obstacle(reason(place, found, verb, who), fix(found, right)));
    }

    private String reason(AbsolutePath place, Ownership found, String verb, Identity who) {
        String mode = String.format("%04o", found.mode());
        String begin = "granted, but " + place + " belongs to uid "
                + found.owner().uid() + " with mode " + mode + " and may not " + verb + " ";
        return begin + (plainRoot ? "others: root's capabilities are dropped" : "uid " + who.uid());
    }

    private String fix(Ownership found, Right right) {
        Identity owner = found.owner();
        if (!plainRoot || owner.isRoot() || !found.allows(owner, right)) {
            return "";
        }
        return "run_as: " + (owner.gid() == owner.uid() ? String.valueOf(owner.uid()) : owner.toString());
    }
}
