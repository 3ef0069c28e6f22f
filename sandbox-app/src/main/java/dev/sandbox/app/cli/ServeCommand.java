package dev.sandbox.app.cli;

import dev.sandbox.core.Sandboxes;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.Problem;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code sandbox serve}. The server's own options are made of {@link ServerKey}. */
@CommandLine.Command(
        name = "serve",
        description = "Serve agents over HTTP and MCP (/mcp), with a page at /.",
        footer = {
            "",
            "Examples:",
            "  sandbox serve --base-dir . --read src --write build",
            "  sandbox serve --policy policy.yaml --token-file token",
            "",
            "Each of the server's options can also be given by a variable (SANDBOX_PORT",
            "for --port) or in the --server-config file (port). Flags win over variables,",
            "those over the file. SANDBOX_API_TOKEN can hold the token.",
            "The policy options make the default policy. A request names its own grants",
            "within the base, and can only narrow the rest."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class ServeCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private final PolicyOptions options = new PolicyOptions();

    @Option(names = "--server-config", paramLabel = "FILE", description = "The server's options, in YAML.")
    private @Nullable Path serverConfig;

    @Option(names = "--print-config", description = "Print the configuration, without secrets, and end.")
    private boolean printConfig;

    /** The command line with the server's own options. */
    static CommandLine commandLine() {
        CommandLine command = new CommandLine(new ServeCommand());
        for (ServerKey key : ServerKey.values()) {
            if (key != ServerKey.POLICY) { // PolicyOptions has it
                command.getCommandSpec()
                        .addOption(OptionSpec.builder(key.flag())
                                .paramLabel(key.label())
                                .description(key.description())
                                .type(key.isList() ? List.class : String.class)
                                .auxiliaryTypes(String.class)
                                .build());
            }
        }
        return command;
    }

    @Override
    public Integer call() {
        Map<String, String> environment = CallerEnvironment.get();
        ServerConfig config = ServerConfig.of(flags(), environment, serverConfig);
        SandboxPolicy standard = standard(config);
        if (printConfig) {
            config.settings();
            config.lines().forEach(line -> System.out.println(Problem.oneLine(line)));
            return 0;
        }
        Map<String, String> inherited = new HashMap<>(environment);
        // Steps inherit from this map: what it does not hold they cannot be given, whatever a policy passes on.
        inherited.remove(ServerConfig.TOKEN);
        Supplier<StandardSandbox> maker = () -> Sandboxes.standard(inherited);
        new Serving(config.settings(), standard, maker).untilStopped();
        return 0;
    }

    private SandboxPolicy standard(ServerConfig config) {
        if (options.base != null && flags().containsKey(ServerKey.BASE_DIR)) {
            throw new UsageException("--base and --base-dir are the same; give one");
        }
        if (options.base == null) {
            options.base = config.text(ServerKey.BASE_DIR).orElse(".");
        }
        if (options.policy == null) {
            options.policy = config.text(ServerKey.POLICY).map(Path::of).orElse(null);
        }
        return options.toPolicy();
    }

    private Map<ServerKey, List<String>> flags() {
        Map<ServerKey, List<String>> flags = new EnumMap<>(ServerKey.class);
        ParseResult parsed = spec.commandLine().getParseResult();
        for (ServerKey key : ServerKey.values()) {
            if (key == ServerKey.POLICY || !parsed.hasMatchedOption(key.flag())) {
                continue;
            }
            if (key.isList()) {
                flags.put(key, parsed.matchedOptionValue(key.flag(), List.of()));
            } else {
                flags.put(key, List.of(parsed.matchedOptionValue(key.flag(), "")));
            }
        }
        return flags;
    }
}
