package dev.sandbox.docker;

import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.resolve.Host;
import java.time.Duration;
import java.util.Optional;

/** A process to be killed while its step runs. */
final class SleepingOwner {
    private SleepingOwner() {}

    public static void main(String[] args) throws InterruptedException {
        LocalHost files = new LocalHost();
        DockerBackend backend = new DockerBackend(Host.standard(files), files, Optional.of(DockerBackendIT.IMAGE));
        StandardSandbox sandbox = DockerBackendIT.sandbox(backend);
        SandboxPolicy policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(args[0]))
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
