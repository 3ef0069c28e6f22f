package dev.sandbox.docker;

import dev.sandbox.linux.ProcessIdentity;
import java.util.List;

/** Which containers of ours nobody owns any more. */
final class Leftovers {
    private Leftovers() {}

    /** Removes them; says how many. */
    static int remove(Engine engine) {
        List<LabelledContainer> found = engine.labelled(Owner.LABEL).stream()
                .filter(Leftovers::isLeftover)
                .toList();
        found.forEach(container -> engine.remove(container.id()));
        return found.size();
    }

    /** One whose owner is gone; or that neither runs nor will, and whose owner cannot be seen from here. */
    static boolean isLeftover(LabelledContainer container) {
        return ProcessIdentity.parse(container.label())
                .map(owner -> isLeftover(owner.state(), container.state()))
                .orElse(false);
    }

    static boolean isLeftover(ProcessIdentity.State owner, String containerState) {
        return switch (owner) {
            case ALIVE -> false;
            case GONE -> true;
            case ELSEWHERE -> containerState.equals("exited") || containerState.equals("dead");
        };
    }
}
