import dev.sandbox.core.Sandboxes;
import dev.sandbox.domain.Sandbox;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.result.ExecutionResult;
import java.nio.file.Path;

/** Runs one step under Landlock, which may write in {@code out} below the folder given, and nowhere else. */
public final class RunOneStep {
    private RunOneStep() {}

    public static void main(String[] args) {
        Path base = Path.of(args.length > 0 ? args[0] : "").toAbsolutePath().normalize();
        Sandbox sandbox = Sandboxes.landlock();
        SandboxPolicy policy = SandboxPolicy.builder()
                .baseDir(base)
                .addWritePaths("out") // made when it does not exist
                .workDir("out")
                .backend(BackendName.LANDLOCK) // else root is refused where a container runtime's socket is in reach
                .build();

        ExecutionResult result = sandbox.run(policy, Command.shell("echo hi > f; cat f"));

        System.out.print(result.stdout());
        System.exit(result.exitCode());
    }
}
