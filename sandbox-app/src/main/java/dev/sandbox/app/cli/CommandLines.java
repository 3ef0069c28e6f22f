package dev.sandbox.app.cli;

import dev.sandbox.app.config.EnumWords;
import dev.sandbox.app.config.ResultDocument;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.policy.EnvironmentMode;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.HostDevice;
import dev.sandbox.domain.policy.Inheritance;
import dev.sandbox.domain.policy.OnMissing;
import dev.sandbox.domain.policy.PackageConfig;
import dev.sandbox.domain.policy.ProcAccess;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.policy.Toolchains;
import dev.sandbox.domain.policy.TrustHandoff;
import dev.sandbox.domain.policy.UserNamespaces;
import dev.sandbox.domain.problem.ProblemCode;
import dev.sandbox.domain.verdict.Operation;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** What picocli reads. Apart from {@link Main}, so that a run which needs no picocli loads none of it. */
final class CommandLines {
    private CommandLines() {}

    static int execute(Supplier<StandardSandbox> sandbox, String... arguments) {
        return commandLine(sandbox, arguments.length > 0 && arguments[0].equals("run"))
                .setParameterExceptionHandler(CommandLines::usage)
                .setExecutionExceptionHandler((e, failed, parsed) -> Main.failed(e, arguments))
                .execute(arguments);
    }

    /** The commands; {@code run} alone when nothing else is asked for. */
    static CommandLine commandLine(Supplier<StandardSandbox> sandbox, boolean runAlone) {
        CommandLine command = new CommandLine(new Main(sandbox));
        command.addSubcommand(new RunCommand());
        if (!runAlone) {
            // A run would pay for their options with each start: a tenth of a second.
            command.addSubcommand(new ExplainCommand())
                    .addSubcommand(new PlanCommand())
                    .addSubcommand(new DoctorCommand())
                    .addSubcommand(new PsCommand())
                    .addSubcommand(new CleanCommand())
                    .addSubcommand(new SelftestCommand())
                    .addSubcommand(new PolicyCommand())
                    .addSubcommand(new DockerCommand())
                    .addSubcommand(ServeCommand.commandLine())
                    .addSubcommand(new McpCommand())
                    .addSubcommand(new CompletionCommand())
                    .addSubcommand(new ManCommand())
                    .addSubcommand(new HelpCommand());
        }
        return HelpGroups.apply(asWritten(words(command)));
    }

    /**
     * Every argument is taken as it is written. picocli would read {@code @file} as a file of more arguments: a step that leaves such
     * a file could then grant to the next. The setting is each command's own.
     */
    private static CommandLine asWritten(CommandLine command) {
        command.getSubcommands().values().forEach(CommandLines::asWritten);
        return command.setExpandAtFiles(false);
    }

    /** An option's words are those of policies. */
    private static CommandLine words(CommandLine command) {
        register(command, HomeMode.class);
        register(command, Toolchains.class);
        register(command, PackageConfig.class);
        register(command, TmpMode.class);
        register(command, ProcAccess.class);
        register(command, HostDevice.class);
        register(command, UserNamespaces.class);
        register(command, EnvironmentMode.class);
        register(command, Inheritance.class);
        register(command, OnMissing.class);
        register(command, TrustHandoff.Protection.class);
        command.registerConverter(
                BackendName.class,
                text -> BackendName.findStandard(text.toLowerCase(Locale.ROOT))
                        .orElseThrow(() -> new TypeConversionException(
                                "\"" + text + "\" is not one of landlock, mountns, docker")));
        register(command, Operation.class);
        return command;
    }

    private static <E extends Enum<E>> void register(CommandLine command, Class<E> type) {
        command.registerConverter(type, text -> {
            try {
                return EnumWords.parse(type, text.toLowerCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        });
    }

    private static int usage(ParameterException e, String... arguments) {
        String message = UsageHints.message(e);
        String help = e.getCommandLine().getCommandSpec().qualifiedName() + " --help";
        UsageException wrong = new UsageException(message + "; see " + help);
        try (StatusFile status = StatusFile.named(arguments)) {
            status.write(() -> ResultDocument.of(ProblemCode.USAGE, String.valueOf(wrong.getMessage())));
        } catch (UsageException unwritable) {
            return Main.failed(new UsageException(wrong.getMessage() + "; also " + unwritable.getMessage()), arguments);
        }
        return Main.failed(wrong, arguments);
    }
}
