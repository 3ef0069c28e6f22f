package dev.sandbox.app.cli;

import dev.sandbox.app.wiring.ContainerUpkeep;
import picocli.CommandLine;

/** {@code sandbox docker}. */
@CommandLine.Command(
        name = "docker",
        description = "Look after what the docker backend leaves on the engine.",
        mixinStandardHelpOptions = true)
final class DockerCommand implements Runnable {
    @Override
    public void run() {
        throw new UsageException("no command given; try sandbox docker prune");
    }

    @CommandLine.Command(
            name = "prune",
            description = "Remove containers of runs that were killed. The next run does so too.",
            footer = {"", "Examples:", "  sandbox docker prune"},
            mixinStandardHelpOptions = true)
    int prune() {
        int removed = ContainerUpkeep.prune();
        System.out.println("removed " + removed + (removed == 1 ? " container" : " containers"));
        return 0;
    }
}
