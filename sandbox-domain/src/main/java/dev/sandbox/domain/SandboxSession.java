package dev.sandbox.domain;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.OutputSink;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.result.ExecutionResult;
import java.io.InputStream;
import java.util.function.Consumer;

/** One policy, enforced by one backend, for many commands. Safe for use by many threads at once. */
public interface SandboxSession extends AutoCloseable {
    /** How a note of a result begins that says which of the step's own folders could not be where the policy puts them. */
    String PRIVATE_FOLDER = "private folder: ";

    /** Runs a command to its end without input and captures its output, on the calling thread. */
    ExecutionResult run(Command command);

    /** Runs a command to its end with this input, which is read on a thread of its own, and captures its output. */
    ExecutionResult run(Command command, InputStream input);

    /** As {@link #run(Command, InputStream)}, with the streams that the request says; what is merged is all standard output. */
    ExecutionResult run(StepRequest request, InputStream input);

    /** As {@link #run(StepRequest, InputStream)}; once the step has started, {@code started} is called on this thread. */
    ExecutionResult run(StepRequest request, InputStream input, Consumer<SandboxedProcess> started);

    /**
     * Runs a command to its end, feeds its piped or terminal input from a stream, and hands its output on as it comes. A
     * {@code read} of that stream which never returns does not keep the run from ending.
     */
    ExecutionResult run(StepRequest request, InputStream input, OutputSink stdout, OutputSink stderr);

    /**
     * As {@link #run(StepRequest, InputStream, OutputSink, OutputSink)}. Once the step has started, {@code started} is called on this
     * thread, for whoever resizes its terminal or cancels it meanwhile; its streams are the run's. It is not called for a command
     * that could not be started.
     */
    ExecutionResult run(
            StepRequest request,
            InputStream input,
            OutputSink stdout,
            OutputSink stderr,
            Consumer<SandboxedProcess> started);

    /** Runs a command to its end and hands its output on as it comes; the result's texts are empty. */
    ExecutionResult run(StepRequest request, OutputSink stdout, OutputSink stderr);

    /** Starts a command; the caller moves its streams and closes it. They are as they come: {@code environment.mask} is not applied. */
    SandboxedProcess start(StepRequest request);

    /** The policy as it is enforced. */
    ResolvedPolicy policy();

    /** The backend that enforces it, and what it guarantees. */
    BackendAssessment backend();

    /** Ends every command that still runs and removes what the session made. */
    @Override
    void close();
}
