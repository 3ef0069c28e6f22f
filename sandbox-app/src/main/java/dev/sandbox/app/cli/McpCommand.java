package dev.sandbox.app.cli;

import dev.sandbox.core.Sandboxes;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** {@code sandbox mcp}. */
@CommandLine.Command(
        name = "mcp",
        description = "Serve one agent by the Model Context Protocol on standard input and output.",
        footer = {
            "",
            "Examples:",
            "  sandbox mcp --read src --write build",
            "  sandbox mcp --policy policy.yaml",
            "",
            "The policy options make the policy; no call can change it."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class McpCommand implements Callable<Integer> {
    @Mixin
    private final PolicyOptions options = new PolicyOptions();

    @Override
    public Integer call() {
        new StandardStreamsService(options.toPolicy(), () -> Sandboxes.standard(CallerEnvironment.get()))
                .untilInputEnds();
        return 0;
    }
}
