package dev.sandbox.mountns;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;

/** A JVM of its own that runs one step, to be killed. */
final class KilledJvm {
    private KilledJvm() {}

    static SandboxPolicy policy(Path folder) {
        return SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(folder.toString()))
                .addWritePaths("w")
                .addBlockedPaths("w/.env")
                .build();
    }

    static Process start(Privilege way, Path folder, String script) throws IOException {
        return ChildJvm.of(KilledJvm.class, way.name(), folder.toString(), script)
                .inheritIO()
                .start();
    }

    public static void main(String[] arguments) {
        MountNamespaceBackend backend = Box.backend(Privilege.valueOf(arguments[0]));
        try (IsolationSession session = backend.open(Box.request(policy(Path.of(arguments[1]))));
                SandboxedProcess process = session.start(StepRequest.piped(Command.shell(arguments[2])))) {
            Box.finish(process);
        }
    }
}
