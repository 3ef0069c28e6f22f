package dev.sandbox.domain;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.guarantee.ImpliedGuarantees;
import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.ExitStatus;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.OutputSink;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.problem.CommandNotStartedException;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.PolicyDigest;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.resolve.TrustWatch;
import dev.sandbox.domain.result.CapturedOutput;
import dev.sandbox.domain.result.Denial;
import dev.sandbox.domain.result.DenialInference;
import dev.sandbox.domain.result.DeviceDenials;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.LimitNotes;
import dev.sandbox.domain.result.MaskedOutput;
import dev.sandbox.domain.result.NetworkNotes;
import dev.sandbox.domain.result.OutputMask;
import dev.sandbox.domain.result.OverheardOutput;
import dev.sandbox.domain.result.Receipt;
import dev.sandbox.domain.result.RunError;
import dev.sandbox.domain.result.Termination;
import dev.sandbox.domain.verdict.AccessOracle;
import dev.sandbox.domain.verdict.Sight;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** {@link SandboxSession} over a backend's session. */
final class StandardSession implements SandboxSession {
    private static final int TIMEOUT_CODE = 124;
    private static final int COMPLAINTS_KEPT = 64 * 1024;
    /** Looking at the host's files for denials is given up after this time: a step can make their lookup slow. */
    private static final Duration EXPLANATION = Duration.ofMillis(500);

    private final SessionRequest request;
    private final BackendAssessment assessment;
    private final IsolationSession session;
    private final AccessOracle oracle;
    private final CallersPrograms programs;
    private final TrustWatch trust;
    private final OutputMask mask;
    private final RunningSteps running;
    private final LongSupplier nanoTime;
    private final List<String> notes;
    private final Runnable cleanUp;
    private final Receipt receipt;
    private volatile boolean closed;

    StandardSession(
            SessionRequest request,
            BackendAssessment assessment,
            IsolationSession session,
            Host host,
            Sight sight,
            Map<String, String> callersEnvironment,
            RunningSteps running,
            LongSupplier nanoTime,
            Duration preparation,
            List<String> notes,
            Runnable cleanUp) {
        this.request = request;
        this.assessment = assessment;
        this.session = session;
        this.oracle = new AccessOracle(request.policy(), host, sight);
        this.programs = new CallersPrograms(callersEnvironment, host.files(), oracle, request.environment());
        this.trust = new TrustWatch(host.files(), request.policy());
        this.mask = OutputMask.of(request.environment().masked());
        this.running = running;
        this.nanoTime = nanoTime;
        this.notes = List.copyOf(notes);
        this.cleanUp = cleanUp;
        ResolvedPolicy resolved = request.policy();
        this.receipt = new Receipt(
                () -> PolicyDigest.of(resolved),
                assessment.detail(),
                resolved.policy().limits(),
                preparation);
    }

    @Override
    public ExecutionResult run(Command command) {
        return run(StepRequest.piped(command), InputStream.nullInputStream());
    }

    @Override
    public ExecutionResult run(Command command, InputStream input) {
        return run(new StepRequest(command, Stdio.PIPE, Stdio.PIPE, Stdio.PIPE), input);
    }

    @Override
    public ExecutionResult run(StepRequest step, InputStream input) {
        return run(step, input, process -> {});
    }

    @Override
    public ExecutionResult run(StepRequest step, InputStream input, Consumer<SandboxedProcess> started) {
        long limit = request.policy().policy().limits().output();
        CapturedOutput stdout = new CapturedOutput(limit);
        CapturedOutput stderr = new CapturedOutput(limit);
        ExecutionResult result = run(step, input, stdout, stderr, started);
        return ExecutionResult.builder()
                .from(result)
                .stdout(stdout.text())
                .stderr(stderr.text())
                .stdoutTruncated(stdout.isTruncated())
                .stderrTruncated(stderr.isTruncated())
                .build();
    }

    @Override
    public ExecutionResult run(StepRequest step, OutputSink stdout, OutputSink stderr) {
        return run(step, InputStream.nullInputStream(), stdout, stderr);
    }

    @Override
    public ExecutionResult run(StepRequest step, InputStream input, OutputSink stdout, OutputSink stderr) {
        return run(step, input, stdout, stderr, process -> {});
    }

    @Override
    public ExecutionResult run(
            StepRequest step,
            InputStream input,
            OutputSink stdout,
            OutputSink stderr,
            Consumer<SandboxedProcess> started) {
        if (mask.isEmpty()) {
            return unmasked(step, input, stdout, stderr, started);
        }
        if (step.stdout() == Stdio.INHERIT || step.stderr() == Stdio.INHERIT) {
            throw new PolicyInvalidException(
                    "environment.mask", "nothing can be masked in an inherited stream", "pipe the step's output");
        }
        MaskedOutput out = mask.over(stdout);
        MaskedOutput err = mask.over(stderr);
        ExecutionResult result = unmasked(step, input, out, err, started);
        out.finish();
        err.finish();
        return mask.result(result);
    }

    private ExecutionResult unmasked(
            StepRequest step,
            InputStream input,
            OutputSink stdout,
            OutputSink stderr,
            Consumer<SandboxedProcess> started) {
        CapturedOutput complaints = new CapturedOutput(COMPLAINTS_KEPT);
        boolean merged = step.stderr() == Stdio.MERGED;
        OutputSink complained = merged ? stdout : stderr;
        OutputSink listening = new OverheardOutput(complained, complaints);
        long start = nanoTime.getAsLong();
        try (SandboxedProcess process = start(step)) {
            started.accept(process);
            Completion completion = process.exchange(Exchange.builder()
                    .input(input)
                    .stdout(merged ? listening : stdout)
                    .stderr(merged ? stderr : listening)
                    .timeout(request.policy().policy().limits().timeout())
                    .build());
            return finished(step, completion, complaints, start, stderr);
        } catch (CommandNotStartedException failure) {
            CommandNotStartedException e = programs.explained(failure, step.command());
            say(stderr, e.getMessage() + "\n");
            Completion none =
                    new Completion(ExitStatus.exited(e.exitCode()), Termination.NOT_STARTED, Completion.Leftovers.NONE);
            return ExecutionResult.builder()
                    .from(finished(step, none, complaints, start, stderr))
                    .error(RunError.of(e))
                    .build();
        }
    }

    private ExecutionResult finished(
            StepRequest step, Completion completion, CapturedOutput complaints, long start, OutputSink stderr) {
        boolean timedOut = completion.termination() == Termination.TIMED_OUT;
        if (timedOut) {
            say(stderr, timeoutLine());
        }
        ExecutionResult.Builder result = ExecutionResult.builder()
                .exitCode(timedOut ? TIMEOUT_CODE : completion.status().shellCode())
                .signal(completion.status().signal())
                .termination(completion.termination())
                .executionTime(Duration.ofNanos(nanoTime.getAsLong() - start))
                .backend(assessment.backend())
                .guarantees(assessment.held(ImpliedGuarantees.of(request.policy())))
                .command(step.command().display())
                .denials(denials(complaints))
                .receipt(receipt);
        result.addAllNotes(request.policy().notes());
        request.policy().skipped().forEach(grant -> result.addNotes(grant.note()));
        result.addAllNotes(notes);
        result.addAllNotes(request.environment().notes());
        if (completion.leftovers() == Completion.Leftovers.ENDED) {
            result.addNotes("processes that outlived the command were ended");
        }
        if (completion.termination() != Termination.NOT_STARTED && !isInContainer()) {
            result.addAllNotes(
                    programs.notes(step.command(), completion.status().shellCode(), complaints.text()));
        }
        result.addAllNotes(completion.notes());
        result.addAllNotes(NetworkNotes.of(request.policy().policy().network(), completion.status()));
        result.addAllNotes(trust.changes());
        result.addAllNotes(LimitNotes.of(request.policy().policy().limits(), completion, complaints.text()));
        return result.build();
    }

    /** Its programs are the image's, and nobody expects the caller's. */
    private boolean isInContainer() {
        return assessment.backend().equals(BackendName.DOCKER);
    }

    private List<Denial> denials(CapturedOutput complaints) {
        long deadline = nanoTime.getAsLong() + EXPLANATION.toNanos();
        List<Denial> inferred = DenialInference.from(
                complaints.text(), request.policy().workDir(), oracle, () -> nanoTime.getAsLong() - deadline < 0);
        return assessment.hidesWhatIsNotGranted() || complaints.text().isEmpty()
                ? inferred
                : DeviceDenials.with(
                        inferred, complaints.text(), request.policy().policy());
    }

    private String timeoutLine() {
        Duration timeout = request.policy().policy().limits().timeout().orElse(Duration.ZERO);
        String seconds = timeout.toMillis() % 1000 == 0
                ? String.valueOf(timeout.toSeconds())
                : String.valueOf(timeout.toMillis() / 1000.0);
        return "TIMEOUT: Command killed after " + seconds + " seconds\n";
    }

    private static void say(OutputSink sink, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        sink.accept(bytes, 0, bytes.length);
    }

    @Override
    public SandboxedProcess start(StepRequest step) {
        SandboxedProcess process = running.start(mask.text(step.command().display()), assessment.backend(), () -> {
            requireOpen();
            return session.start(step);
        });
        try {
            // Again: it may have come too late for close() to see it.
            requireOpen();
            return process;
        } catch (IllegalStateException e) {
            process.close();
            throw e;
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the session is closed");
        }
    }

    @Override
    public ResolvedPolicy policy() {
        return request.policy();
    }

    @Override
    public BackendAssessment backend() {
        return assessment;
    }

    @Override
    public void close() {
        closed = true;
        try {
            session.close();
        } finally {
            cleanUp.run();
        }
    }
}
