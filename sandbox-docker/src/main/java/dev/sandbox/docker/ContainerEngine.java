package dev.sandbox.docker;

import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.util.List;

/** What an operator asks of the engine that the environment names, besides running steps. */
public final class ContainerEngine {
    private final Engine engine;

    private ContainerEngine(Engine engine) {
        this.engine = engine;
    }

    /**
     * The engine that the environment names.
     *
     * @throws SandboxUnavailableException when there is none
     */
    public static ContainerEngine connect() {
        return new ContainerEngine(Engine.connect());
    }

    /**
     * Removes containers of this product whose owner is gone.
     *
     * @return how many
     * @throws SandboxUnavailableException when the engine does not answer
     */
    public int prune() {
        return Leftovers.remove(engine);
    }

    /**
     * The containers of sessions of this process, by id.
     *
     * @throws SandboxUnavailableException when the engine does not answer
     */
    public List<String> ofThisProcess() {
        String self = Owner.self();
        return engine.labelled(Owner.LABEL).stream()
                .filter(container -> self.equals(container.label()))
                .map(LabelledContainer::id)
                .toList();
    }

    /**
     * Pulls an image unless the engine has it.
     *
     * @throws SandboxUnavailableException when it cannot be had
     */
    public void provide(String image) {
        if (engine.findImage(image).isEmpty()) {
            engine.pull(image);
        }
    }
}
