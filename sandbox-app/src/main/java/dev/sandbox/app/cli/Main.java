package dev.sandbox.app.cli;

import dev.sandbox.app.config.ResultDocument;
import dev.sandbox.app.wiring.Sandboxes;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.policy.EnvironmentMode;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.ProcAccess;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.policy.TrustHandoff;
import dev.sandbox.domain.policy.UserNamespaces;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.problem.ProblemCode;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.verdict.Operation;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

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
        CommandLine command = new CommandLine(new Main(sandbox));
        command.addSubcommand(new RunCommand());
        if (arguments.length == 0 || !arguments[0].equals("run")) {
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
        return words(command)
                .setParameterExceptionHandler(Main::usage)
                .setExecutionExceptionHandler((e, failed, parsed) -> failed(e))
                .execute(arguments);
    }

    private static CommandLine words(CommandLine command) {
        return command.registerConverter(HomeMode.class, new Words<>(HomeMode.class))
                .registerConverter(TmpMode.class, new Words<>(TmpMode.class))
                .registerConverter(ProcAccess.class, new Words<>(ProcAccess.class))
                .registerConverter(UserNamespaces.class, new Words<>(UserNamespaces.class))
                .registerConverter(EnvironmentMode.class, new Words<>(EnvironmentMode.class))
                .registerConverter(TrustHandoff.Protection.class, new Words<>(TrustHandoff.Protection.class))
                .registerConverter(BackendName.class, new Words<>(BackendName.class))
                .registerConverter(Operation.class, new Words<>(Operation.class));
    }

    StandardSandbox sandbox() {
        return sandbox.get();
    }

    @Override
    public void run() {
        throw new UsageException("no command given; try sandbox run --write . -c 'make', or sandbox --help");
    }

    private static int usage(ParameterException e, String... arguments) {
        String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        String help = e.getCommandLine().getCommandSpec().qualifiedName() + " --help";
        String line = ProblemCode.USAGE + ": " + message + "; see " + help;
        try (StatusFile status = StatusFile.named(arguments)) {
            status.write(() -> ResultDocument.of(ProblemCode.USAGE, line));
        } catch (UsageException unwritable) {
            return complain(line + "; also " + unwritable.getMessage());
        }
        return complain(line);
    }

    private static int failed(Exception e) {
        if (e instanceof SandboxException problem) {
            return complain(String.valueOf(problem.getMessage()));
        }
        if (e instanceof UsageException usage) {
            return complain(ProblemCode.USAGE + ": " + usage.getMessage());
        }
        return complain(ProblemCode.SANDBOX_UNAVAILABLE + ": "
                + e.getClass().getSimpleName().toLowerCase(Locale.ROOT) + ": " + e.getMessage());
    }

    private static int complain(String line) {
        PrintStream err = System.err;
        err.println(Problem.oneLine(line));
        return SANDBOX_FAILED;
    }
}
