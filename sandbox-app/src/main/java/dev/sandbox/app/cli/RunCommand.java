package dev.sandbox.app.cli;

import dev.sandbox.app.config.PolicyFile;
import dev.sandbox.app.config.ResultDocument;
import dev.sandbox.app.wiring.ContainerUpkeep;
import dev.sandbox.domain.CallersNotes;
import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.isolation.WindowSize;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.problem.ProblemCode;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.resolve.TrustWatch;
import dev.sandbox.domain.result.Denial;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.Termination;
import dev.sandbox.linux.CallerTerminal;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code sandbox run}. */
@CommandLine.Command(
        name = "run",
        description = "Run a command under a policy.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        customSynopsis = {
            "sandbox run [OPTIONS] -- PROGRAM [ARG...]",
            "       sandbox run [OPTIONS] -c 'SHELL COMMAND' [-- ARG...]"
        },
        footer = {
            "",
            "Examples:",
            "  sandbox run --write . -- npm install",
            "  sandbox run --read src --write out --network none --timeout 60s -c 'make -C src'"
        })
final class RunCommand implements Callable<Integer> {
    /** What a shell gives for a program whose reader went away: 128 and SIGPIPE. */
    private static final int OF_A_BROKEN_PIPE = 141;

    /** What may have failed for want of the settings that a private HOME hides. */
    private static final List<String> TOOLS_WITH_SETTINGS =
            List.of("pip", "npm", "npx", "yarn", "pnpm", "git", "cargo", "mvn");

    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    Main main;

    @Mixin
    final PolicyOptions options = new PolicyOptions();

    @Option(
            names = "-c",
            paramLabel = "'SHELL COMMAND'",
            description = "Run by /bin/sh -c; arguments after -- are its $1, $2, ...")
    @Nullable
    String shell;

    @Option(names = "--config", paramLabel = "FILE", description = "A staged policy, unlinked after it was read.")
    @Nullable
    Path config;

    @Option(names = "--keep-config", description = "Do not unlink the --config policy.")
    boolean keepConfig;

    @Option(names = "--json", description = "Print one result object instead of passing the streams through.")
    boolean json;

    @Option(
            names = "--status-file",
            paramLabel = "FILE",
            description = "Write the result object, without the streams, to a file.")
    @Nullable
    Path statusFile;

    @Option(names = "--tty", description = "Give the command a terminal of its own.")
    boolean tty;

    @Option(names = "--merge-output", description = "Print standard error on standard output, in order.")
    boolean mergeOutput;

    @Option(names = "--stdin", paramLabel = "FILE", description = "Take standard input from a file.")
    @Nullable
    Path stdin;

    @Option(names = "--quiet", description = "Do not print notes and denials.")
    boolean quiet;

    @Option(names = "--pull", description = "Pull the image first, unless the engine has it (docker).")
    boolean pull;

    @Parameters(paramLabel = "PROGRAM [ARG...]", arity = "0..*", description = "Run as given, without a shell.")
    List<String> argv = List.of();

    @Override
    public Integer call() {
        CallerSignals signals = CallerSignals.install();
        try (StatusFile status = StatusFile.open(statusFile)) {
            return run(status, signals);
        } finally {
            signals.over();
        }
    }

    private int run(StatusFile status, CallerSignals signals) {
        try {
            ExecutionResult result = asTheCallerEndedIt(run(signals), signals);
            status.write(() -> ResultDocument.of(result, ResultDocument.Streams.LEFT_OUT));
            if (json) {
                System.out.println(ResultDocument.render(ResultDocument.of(result, ResultDocument.Streams.INCLUDED)));
            }
            return result.exitCode();
        } catch (SandboxException e) {
            status.write(() -> ResultDocument.of(e));
            throw e;
        } catch (UsageException e) {
            status.write(() -> ResultDocument.of(ProblemCode.USAGE, String.valueOf(e.getMessage())));
            throw e;
        } catch (CallerSignals.EndedBeforeStart e) {
            Map<String, Object> document = ResultDocument.of(ProblemCode.CANCELLED, String.valueOf(e.getMessage()));
            status.write(() -> document);
            if (json) {
                System.out.println(ResultDocument.render(document));
            }
            return e.exitCode();
        }
    }

    private static ExecutionResult asTheCallerEndedIt(ExecutionResult result, CallerSignals signals) {
        OptionalInt code = signals.exitCode();
        return code.isPresent() && result.termination() == Termination.CANCELLED
                ? ended(result, code.getAsInt())
                : result;
    }

    private static ExecutionResult ended(ExecutionResult result, int exitCode) {
        return ExecutionResult.builder().from(result).exitCode(exitCode).build();
    }

    private ExecutionResult run(CallerSignals signals) {
        SandboxPolicy policy = policy();
        Command command = command();
        if (tty && json) {
            throw new UsageException("--tty and --json exclude each other; give one");
        }
        if (tty && mergeOutput) {
            throw new UsageException("--tty and --merge-output exclude each other; a terminal has one output anyway");
        }
        if (tty && stdin != null) {
            throw new UsageException("--tty and --stdin exclude each other; give one");
        }
        if (pull) {
            ContainerUpkeep.provide(image(policy));
        }
        try (StepInput input = StepInput.of(stdin);
                SandboxSession session = main.sandbox().open(policy)) {
            endWithTheJvm(session);
            warn(session);
            signals.check();
            Stdio stderr = mergeOutput ? Stdio.MERGED : Stdio.PIPE;
            if (json) {
                return session.run(
                        new StepRequest(command, input.kind(Stdio.NULL), Stdio.PIPE, stderr),
                        input.stream(),
                        signals::started);
            }
            return tty
                    ? runOnTerminal(session, command, signals)
                    : passed(
                            session,
                            new StepRequest(command, input.kind(Stdio.INHERIT), Stdio.PIPE, stderr),
                            input.stream(),
                            signals::started);
        }
    }

    /** For a start that was ended and did not notice. The usual way out halts and runs no hook. */
    private static void endWithTheJvm(SandboxSession session) {
        Runtime.getRuntime().addShutdownHook(new Thread(session::close, "sandbox-end"));
    }

    /** The caller's own terminal, if it has one, only hands on: what keys mean is for the step's. */
    private ExecutionResult runOnTerminal(SandboxSession session, Command command, CallerSignals signals) {
        Optional<CallerTerminal> own = CallerTerminal.find();
        WindowSize window = own.map(CallerTerminal::size).orElse(WindowSize.USUAL);
        own.ifPresent(terminal -> {
            Runtime.getRuntime().addShutdownHook(new Thread(terminal::restore, "sandbox-terminal"));
            terminal.makeRaw();
        });
        try {
            return passed(session, StepRequest.terminal(command, window), System.in, process -> {
                signals.started(process);
                own.ifPresent(terminal -> terminal.watchSize(process::resize));
            });
        } finally {
            own.ifPresent(CallerTerminal::restore);
        }
    }

    private SandboxPolicy policy() {
        if (config == null) {
            return options.toPolicy();
        }
        if (options.policy != null) {
            throw new UsageException("--config and --policy exclude each other; give one");
        }
        PolicyFile.Consumption consumption = keepConfig ? PolicyFile.Consumption.KEEP : PolicyFile.Consumption.UNLINK;
        return options.addTo(PolicyFile.consume(config, PolicyOptions.currentDirectory(), consumption));
    }

    private static String image(SandboxPolicy policy) {
        return policy.image()
                .or(ContainerUpkeep::defaultImage)
                .orElseThrow(() -> new UsageException("--pull: no image is named; add --image IMAGE"));
    }

    private Command command() {
        return shell != null ? Command.shell(shell, argv) : Command.of(argv);
    }

    private void warn(SandboxSession session) {
        if (!quiet) {
            session.policy()
                    .skipped()
                    .forEach(grant -> System.err.println(Problem.oneLine(
                            "SANDBOX_GRANT_SKIPPED: " + grant.source().written() + ": " + grant.reason())));
        }
    }

    private ExecutionResult passed(
            SandboxSession session, StepRequest request, InputStream input, Consumer<SandboxedProcess> started) {
        PassedOutput stdout = new PassedOutput(System.out);
        PassedOutput stderr = new PassedOutput(System.err);
        ExecutionResult result = session.run(request, input, stdout, stderr, started);
        boolean readStdout = stdout.finish();
        boolean readStderr = stderr.finish();
        if (!quiet) {
            result.notes().stream()
                    .filter(note -> isTold(note, result))
                    .forEach(note -> System.err.println(Problem.oneLine("SANDBOX_NOTE: " + note)));
        }
        if (!quiet && result.exitCode() != 0) {
            result.denials().forEach(this::tell);
        }
        return readStdout && readStderr ? result : ended(result, OF_A_BROKEN_PIPE);
    }

    /** What is of use to whoever looks at the command's output; all notes are in the result. */
    private static boolean isTold(String note, ExecutionResult result) {
        return note.startsWith(TrustWatch.CHANGED)
                || note.startsWith(SandboxSession.PRIVATE_FOLDER)
                || note.startsWith(CallersNotes.PROGRAM)
                || (note.startsWith(CallersNotes.SETTINGS)
                        && result.exitCode() != 0
                        && result.termination() == Termination.EXITED
                        && namesAny(result.command(), TOOLS_WITH_SETTINGS));
    }

    private static boolean namesAny(String command, List<String> tools) {
        for (String tool : tools) {
            if (command.contains(tool)) {
                return true;
            }
        }
        return false;
    }

    private void tell(Denial denial) {
        String fix = denial.fix().isEmpty() ? "" : "; to allow it: " + fix(denial.fix());
        System.err.println(Problem.oneLine(
                "SANDBOX_DENIED: " + denial.operation() + " " + denial.path() + ": " + denial.rule() + fix));
    }

    private String fix(String change) {
        return options.policy == null && config == null ? OptionFix.of(change) : change;
    }
}
