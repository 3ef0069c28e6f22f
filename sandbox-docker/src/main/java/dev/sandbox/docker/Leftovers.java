package dev.sandbox.docker;

import com.github.dockerjava.api.model.Container;
import dev.sandbox.linux.ProcessIdentity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which containers of ours nobody owns any more. */
final class Leftovers {
    private Leftovers() {}

    /** Removes them; says how many. */
    static int remove(Engine engine) {
        List<Container> found = engine.labelled(Owner.LABEL).stream()
                .filter(Leftovers::isLeftover)
                .toList();
        found.forEach(container -> engine.remove(container.getId()));
        return found.size();
    }

    /** One whose owner is gone; or that neither runs nor will, and whose owner cannot be seen from here. */
    static boolean isLeftover(Container container) {
        Map<String, String> labels = Optional.ofNullable(container.getLabels()).orElse(Map.of());
        return ProcessIdentity.parse(labels.getOrDefault(Owner.LABEL, ""))
                .map(owner -> isLeftover(owner.state(), String.valueOf(container.getState())))
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
