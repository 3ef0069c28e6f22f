package dev.sandbox.app.cli;

import dev.sandbox.app.config.ResultDocument;
import dev.sandbox.core.Sandboxes;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.problem.ProblemCode;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.linux.SignalRelay;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Command;

/** The command {@code sandbox}. Errors of the sandbox itself are one line on standard error and exit code 125. */
@Command(
        name = "sandbox",
        description = "Runs a shell command that nobody here wrote, so that the kernel enforces a policy.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  sandbox run --write . -- make",
            "  sandbox help run",
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
        String training = System.getProperty(ArchiveTraining.PROPERTY);
        int code = training == null ? execute(arguments) : ArchiveTraining.run(training);
        System.out.flush();
        System.err.flush();
        SignalRelay.end();
        Runtime.getRuntime().halt(code);
    }

    /** Runs with this host's. */
    static int execute(String... arguments) {
        return execute(() -> Sandboxes.standard(CallerEnvironment.get()), arguments);
    }

    /** Runs with a sandbox of the caller's. */
    static int execute(Supplier<StandardSandbox> sandbox, String... arguments) {
        Optional<RunCommand> run = PlainArguments.parse(arguments);
        return run.isPresent() ? execute(run.get(), sandbox, arguments) : CommandLines.execute(sandbox, arguments);
    }

    private static int execute(RunCommand run, Supplier<StandardSandbox> sandbox, String... arguments) {
        run.main = new Main(sandbox);
        try {
            return run.call();
        } catch (RuntimeException e) {
            return failed(e, arguments);
        }
    }

    StandardSandbox sandbox() {
        return sandbox.get();
    }

    @Override
    public void run() {
        throw new UsageException("no command given; try sandbox run --write . -c 'make', or sandbox --help");
    }

    /** One line for people; with {@code --json} one object for programs as well. */
    static int failed(Exception e, String... arguments) {
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
