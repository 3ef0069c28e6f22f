package dev.sandbox.app.mcp;

import dev.sandbox.app.config.Enforcement;
import dev.sandbox.app.config.ResultDocument;
import dev.sandbox.app.config.VerdictDocument;
import dev.sandbox.app.service.Cancellation;
import dev.sandbox.app.service.CurrentSandbox;
import dev.sandbox.app.service.ServicePolicy;
import dev.sandbox.app.service.StepOrder;
import dev.sandbox.app.service.StepService;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.verdict.Operation;
import dev.sandbox.domain.verdict.Verdict;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tools, under the policy that the server was started with. Thread-safe. */
final class Tools {
    private final StepService steps;
    private final CurrentSandbox sandbox;
    private final ServicePolicy policy;
    private final RunningCalls calls;
    private final Progress progress;

    Tools(StepService steps, CurrentSandbox sandbox, ServicePolicy policy, RunningCalls calls, Progress progress) {
        this.steps = steps;
        this.sandbox = sandbox;
        this.policy = policy;
        this.calls = calls;
        this.progress = progress;
    }

    List<SyncToolSpecification> all() {
        return List.of(
                new SyncToolSpecification(
                        tool(
                                "execute_shell_command",
                                PolicyWords.of(policy),
                                ToolSchemas.EXECUTE_INPUT,
                                ToolSchemas.EXECUTE_OUTPUT),
                        this::execute),
                new SyncToolSpecification(
                        tool(
                                "explain_access",
                                "Say whether the sandbox's policy lets commands read, list, write, create or execute a path, "
                                        + "by which rule, and which grant would allow it. Runs nothing.",
                                ToolSchemas.EXPLAIN_INPUT,
                                ToolSchemas.EXPLAIN_OUTPUT),
                        this::explain));
    }

    private static Tool tool(String name, String description, Map<String, Object> input, Map<String, Object> output) {
        return Tool.builder(name, input)
                .description(description)
                .outputSchema(output)
                .build();
    }

    private CallToolResult execute(McpSyncServerExchange exchange, CallToolRequest request) {
        String name = name(request);
        Cancellation call = calls.of(name);
        Progress.Reports reports = progress.begin(exchange, token(request));
        try {
            ToolArguments arguments =
                    ToolArguments.of(orEmpty(request.arguments()), List.of("command", "working_directory", "timeout"));
            StepOrder order = StepOrder.of(
                    arguments.text("command"),
                    arguments.optionalText("working_directory"),
                    arguments.seconds("timeout"));
            ExecutionResult result = steps.run(policy.job(order), call);
            return CallToolResult.builder()
                    .addTextContent(Words.of(result))
                    .structuredContent(ResultDocument.of(result, ResultDocument.Streams.INCLUDED))
                    .isError(false)
                    .build();
        } catch (SandboxException | IllegalArgumentException e) {
            return refused(e);
        } finally {
            reports.close();
            calls.ended(name);
        }
    }

    private CallToolResult explain(McpSyncServerExchange exchange, CallToolRequest request) {
        try {
            ToolArguments arguments = ToolArguments.of(orEmpty(request.arguments()), List.of("path", "operation"));
            Operation operation = operation(arguments.optionalText("operation").orElse("read"));
            StandardSandbox current = sandbox.get();
            ResolvedPolicy resolved = current.resolve(policy.standard());
            Verdict verdict =
                    current.stepOracle(resolved).decide(resolved.baseDir().resolve(arguments.text("path")), operation);
            Enforcement enforcement = Enforcement.of(current, resolved);
            return CallToolResult.builder()
                    .addTextContent(Words.of(verdict, enforcement))
                    .structuredContent(VerdictDocument.of(verdict, enforcement))
                    .isError(false)
                    .build();
        } catch (SandboxException | IllegalArgumentException e) {
            return refused(e);
        } finally {
            calls.ended(name(request));
        }
    }

    private static Operation operation(String id) {
        return Arrays.stream(Operation.values())
                .filter(operation -> operation.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("operation: \"" + id + "\" is not one of "
                        + Arrays.stream(Operation.values()).map(Operation::id).collect(Collectors.joining(", "))));
    }

    private static CallToolResult refused(RuntimeException e) {
        return CallToolResult.builder()
                .addTextContent("Nothing ran. " + e.getMessage())
                .isError(true)
                .build();
    }

    private static String name(CallToolRequest request) {
        return String.valueOf(
                orEmpty(request.meta()).getOrDefault(Messages.CALL, "unnamed " + System.identityHashCode(request)));
    }

    private static Optional<Object> token(CallToolRequest request) {
        return Optional.ofNullable(orEmpty(request.meta()).get("progressToken"));
    }

    private static Map<String, Object> orEmpty(@Nullable Map<String, Object> given) {
        return given == null ? Map.of() : given;
    }
}
