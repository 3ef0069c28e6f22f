package dev.sandbox.app.cli;

import dev.sandbox.app.config.EnumWords;
import dev.sandbox.app.config.ResultDocument;
import dev.sandbox.app.wiring.Sandboxes;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.policy.EnvironmentMode;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.Inheritance;
import dev.sandbox.domain.policy.OnMissing;
import dev.sandbox.domain.policy.ProcAccess;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.policy.TrustHandoff;
import dev.sandbox.domain.policy.UserNamespaces;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.problem.ProblemCode;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.verdict.Operation;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** The command {@code sandbox}. Errors of the sandbox itself are one line on standard error and exit code 125. */
@Command(
        name = "sandbox",
        description = "Runs a shell command that nobody here wrote, so that the kernel enforces a policy.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes: the command's own; 128+N killed by signal N; 124 timeout; 125 the sandbox itself; 126, 127 as in a shell."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
public final class Main implements Runnable {
    /** The exit code of every error of the sandbox itself. */
    static final int SANDBOX_FAILED = 125;

    private final Supplier<StandardSandbox> sandbox;

    Main(Supplier<StandardSandbox> sandbox) {
        this.sandbox = sandbox;
    }

    /** Runs and exits. */
    public static void main(String[] arguments) {
        int code = execute(() -> Sandboxes.standard(CallerEnvironment.get()), arguments);
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(code);
    }

    /** Runs with a sandbox of the caller's. */
    static int execute(Supplier<StandardSandbox> sandbox, String... arguments) {
        return commandLine(sandbox, arguments.length > 0 && arguments[0].equals("run"))
                .setParameterExceptionHandler(Main::usage)
                .setExecutionExceptionHandler((e, failed, parsed) -> failed(e, arguments))
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
                    .addSubcommand(new SelftestCommand())
                    .addSubcommand(new PolicyCommand())
                    .addSubcommand(new DockerCommand())
                    .addSubcommand(ServeCommand.commandLine())
                    .addSubcommand(new McpCommand());
        }
        return asWritten(words(command));
    }

    /**
     * Every argument is taken as it is written. picocli would read {@code @file} as a file of more arguments: a step that leaves such
     * a file could then grant to the next. The setting is each command's own.
     */
    private static CommandLine asWritten(CommandLine command) {
        command.getSubcommands().values().forEach(Main::asWritten);
        return command.setExpandAtFiles(false);
    }

    /** An option's words are those of policies. */
    private static CommandLine words(CommandLine command) {
        register(command, HomeMode.class);
        register(command, TmpMode.class);
        register(command, ProcAccess.class);
        register(command, UserNamespaces.class);
        register(command, EnvironmentMode.class);
        register(command, Inheritance.class);
        register(command, OnMissing.class);
        register(command, TrustHandoff.Protection.class);
        register(command, BackendName.class);
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

    StandardSandbox sandbox() {
        return sandbox.get();
    }

    @Override
    public void run() {
        throw new UsageException("no command given; try sandbox run --write . -c 'make', or sandbox --help");
    }

    private static int usage(ParameterException e, String... arguments) {
        String message = UsageHints.message(e);
        String help = e.getCommandLine().getCommandSpec().qualifiedName() + " --help";
        UsageException wrong = new UsageException(message + "; see " + help);
        try (StatusFile status = StatusFile.named(arguments)) {
            status.write(() -> ResultDocument.of(ProblemCode.USAGE, String.valueOf(wrong.getMessage())));
        } catch (UsageException unwritable) {
            return failed(new UsageException(wrong.getMessage() + "; also " + unwritable.getMessage()), arguments);
        }
        return failed(wrong, arguments);
    }

    /** One line for people; with {@code --json} one object for programs as well. */
    private static int failed(Exception e, String... arguments) {
        if (e instanceof SandboxException problem) {
            return complain(String.valueOf(problem.getMessage()), () -> ResultDocument.of(problem), arguments);
        }
        ProblemCode code = e instanceof UsageException ? ProblemCode.USAGE : ProblemCode.SANDBOX_UNAVAILABLE;
        String message = e instanceof UsageException
                ? String.valueOf(e.getMessage())
                : e.getClass().getSimpleName().toLowerCase(Locale.ROOT) + ": " + e.getMessage();
        return complain(code + ": " + message, () -> ResultDocument.of(code, message), arguments);
    }

    private static int complain(String line, Supplier<Map<String, Object>> document, String... arguments) {
        PrintStream err = System.err;
        err.println(Problem.oneLine(line));
        if (Arrays.stream(arguments).takeWhile(word -> !word.equals("--")).anyMatch("--json"::equals)) {
            System.out.println(ResultDocument.render(document.get()));
        }
        return SANDBOX_FAILED;
    }
}
