package dev.sandbox.docker;

import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import java.time.Duration;

/** A process to be killed while its step runs. */
final class SleepingOwner {
    private SleepingOwner() {}

    public static void main(String[] args) throws InterruptedException {
        StandardSandbox sandbox = TestBackend.sandbox(TestBackend.of(DockerBackendIT.IMAGE));
        SandboxPolicy policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(args[0]))
                .addWritePaths(".")
                .addBlockedPaths("absent/file")
                .network(NetworkPolicy.none())
                .build();
        try (SandboxSession session = sandbox.open(policy);
                SandboxedProcess process = session.start(StepRequest.piped(Command.shell("sleep 1000")))) {
            System.out.print("R");
            System.out.flush();
            process.waitFor(Duration.ofMinutes(10));
        }
    }
}
