package dev.sandbox.app.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.problem.ProblemCode;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.result.Denial;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.Receipt;
import dev.sandbox.domain.result.RunError;
import dev.sandbox.domain.result.Termination;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Results as JSON, in the shape that the documentation fixes. */
public final class ResultDocument {
    private static final ObjectMapper JSON = TerminalEscapes.escaping(new ObjectMapper());

    /** Whether the captured streams are part of the document. */
    public enum Streams {
        INCLUDED,
        LEFT_OUT
    }

    private ResultDocument() {}

    /** The result object. */
    public static Map<String, Object> of(ExecutionResult result, Streams streams) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("exit_code", result.exitCode());
        document.put("signal", result.signal().isPresent() ? result.signal().getAsInt() : null);
        document.put("termination", result.termination().id());
        result.error().ifPresent(error -> document.put("error", of(error)));
        if (streams == Streams.INCLUDED) {
            document.put("stdout", result.stdout());
            document.put("stderr", result.stderr());
        }
        document.put("stdout_truncated", result.stdoutTruncated());
        document.put("stderr_truncated", result.stderrTruncated());
        document.put("execution_time_ms", result.executionTime().toMillis());
        document.put("backend", result.backend().id());
        document.put(
                "guarantees", result.guarantees().stream().map(Guarantee::id).toList());
        document.put("command", result.command());
        document.put(
                "denials", result.denials().stream().map(ResultDocument::of).toList());
        document.put("notes", result.notes());
        document.put("receipt", of(result.receipt()));
        return document;
    }

    private static Map<String, Object> of(Receipt receipt) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("policy_digest", receipt.policyDigest());
        document.put("backend_detail", receipt.backendDetail());
        document.put("preparation_ms", receipt.preparation().toMillis());
        document.put("limits", of(receipt.limits()));
        return document;
    }

    static Map<String, Object> of(Limits limits) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("timeout_ms", limits.timeout().map(Duration::toMillis).orElse(null));
        document.put("output_bytes", limits.output());
        document.put("memory_bytes", orNull(limits.memory()));
        document.put("processes", orNull(limits.processes()));
        document.put("file_size_bytes", orNull(limits.fileSize()));
        document.put("open_files", orNull(limits.openFiles()));
        document.put("cpu_time_ms", limits.cpuTime().map(Duration::toMillis).orElse(null));
        return document;
    }

    private static @Nullable Long orNull(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }

    private static Map<String, Object> of(Denial denial) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("path", denial.path());
        document.put("operation", denial.operation());
        document.put("source", denial.source().name().toLowerCase(Locale.ROOT));
        document.put("rule", denial.rule());
        document.put("fix", denial.fix());
        return document;
    }

    /** An error of the sandbox itself: no exit code, because no command ran. */
    public static Map<String, Object> of(SandboxException failure) {
        return notStarted(RunError.of(failure));
    }

    /** As {@link #of(SandboxException)}, for an error that is none. */
    public static Map<String, Object> of(ProblemCode code, String message) {
        return notStarted(new RunError(code, message, ""));
    }

    private static Map<String, Object> notStarted(RunError error) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("termination", Termination.NOT_STARTED.id());
        document.put("error", of(error));
        return document;
    }

    private static Map<String, Object> of(RunError error) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("code", error.code().name());
        document.put("message", error.message());
        if (!error.fix().isEmpty()) {
            document.put("fix", error.fix());
        }
        return document;
    }

    /** One line of JSON. */
    public static String render(Object document) {
        try {
            return JSON.writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("maps, lists and texts can always be written", e);
        }
    }

    /** JSON for people to read. */
    public static String renderPretty(Object document) {
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("maps, lists and texts can always be written", e);
        }
    }
}
