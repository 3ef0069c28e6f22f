package dev.sandbox.app.wiring;

import dev.sandbox.docker.ContainerEngine;
import dev.sandbox.docker.DefaultImage;
import java.util.Optional;

/** What the command line asks of the container engine besides running steps. */
public final class ContainerUpkeep {
    private ContainerUpkeep() {}

    /**
     * Removes containers that a killed run left.
     *
     * @return how many
     * @throws dev.sandbox.domain.problem.SandboxUnavailableException when no engine answers
     */
    public static int prune() {
        return ContainerEngine.connect().prune();
    }

    /**
     * Pulls an image unless the engine has it.
     *
     * @throws dev.sandbox.domain.problem.SandboxUnavailableException when it cannot be had
     */
    public static void provide(String image) {
        ContainerEngine.connect().provide(image);
    }

    /** The image for policies that name none. */
    public static Optional<String> defaultImage() {
        return DefaultImage.find();
    }
}
