package dev.sandbox.app.cli;

import dev.sandbox.app.mcp.McpService;
import dev.sandbox.app.service.Confines;
import dev.sandbox.app.service.CurrentSandbox;
import dev.sandbox.app.service.ExtraEnvironment;
import dev.sandbox.app.service.ServicePolicy;
import dev.sandbox.app.service.StepObserver;
import dev.sandbox.app.service.StepService;
import dev.sandbox.app.service.Turns;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.result.ExecutionResult;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** MCP on standard input and output. A class of its own, so that no other command loads what it needs. */
final class StandardStreamsService {
    private static final int MOST = 16;
    private static final Duration USUAL = Duration.ofSeconds(60);
    private static final Duration LONGEST = Duration.ofHours(1);

    private final SandboxPolicy policy;
    private final Supplier<StandardSandbox> maker;

    StandardStreamsService(SandboxPolicy policy, Supplier<StandardSandbox> maker) {
        this.policy = policy;
        this.maker = maker;
    }

    /** Standard output is the protocol's alone; whatever else would be printed there goes to standard error. */
    void untilInputEnds() {
        PrintStream protocol = System.out;
        System.setOut(System.err);
        CurrentSandbox sandbox = new CurrentSandbox(maker);
        ResolvedPolicy resolved = sandbox.get().resolve(policy);
        StepService steps = new StepService(sandbox, new Turns(MOST, MOST, Duration.ofSeconds(30)), new Unobserved());
        List<AbsolutePath> written = List.of(policy.baseDir());
        ServicePolicy service = new ServicePolicy(
                policy,
                Confines.of(written, List.of(resolved.baseDir())),
                new ExtraEnvironment(ExtraEnvironment.USUAL),
                USUAL,
                LONGEST);
        try (McpService mcp = new McpService(steps, sandbox, service, Version.number())) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> steps.drain(Duration.ofMillis(1)), "sandbox-end"));
            mcp.serve(System.in, protocol);
        }
    }

    private static final class Unobserved implements StepObserver {
        @Override
        public void ran(ExecutionResult result) {}

        @Override
        public void refused(SandboxException reason) {}
    }
}
