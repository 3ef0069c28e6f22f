package dev.sandbox.mountns;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.environment.EnvironmentPlan;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.OutputSink;
import dev.sandbox.domain.isolation.Preflight;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.PolicyResolver;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import java.time.Duration;

/** Proves the backend by a real child: it may write where it is granted, and not where it is not; what is not granted is not there. */
final class Proof {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String SCRIPT = """
            echo x > granted/new || exit 11
            [ ! -e secret ] || exit 12
            if ( : > blocked/new ) 2>/dev/null; then exit 13; fi
            if ( : > new ) 2>/dev/null; then exit 14; fi
            if ( : > granted/kept ) 2>/dev/null; then exit 15; fi
            if read x < granted/hidden; then exit 16; fi
            exit 0
            """;

    private final Host host;
    private final HostFiles files;
    private final Preflight.Opener opener;

    Proof(Host host, HostFiles files, Preflight.Opener opener) {
        this.host = host;
        this.files = files;
        this.opener = opener;
    }

    /** Throws when it fails. */
    void run() {
        AbsolutePath folder = files.createHidden();
        try {
            files.createDirectory(folder.resolve("granted"));
            files.createDirectory(folder.resolve("blocked"));
            files.writeIfMissing(folder, "secret", "secret\n");
            files.writeIfMissing(folder.resolve("granted"), "kept", "kept\n");
            files.writeIfMissing(folder.resolve("granted"), "hidden", "hidden\n");
            run(folder);
        } finally {
            files.removeTree(folder);
        }
    }

    private void run(AbsolutePath folder) {
        ResolvedPolicy policy = PolicyResolver.resolve(
                SandboxPolicy.builder()
                        .baseDir(folder)
                        .addWritePaths("granted")
                        .addBlockedPaths("granted/hidden")
                        .addBlockedWritePaths("granted/kept")
                        .build(),
                host);
        EnvironmentPlan environment =
                EnvironmentPlan.builder().putVariables("PATH", "/usr/bin:/bin").build();
        try (IsolationSession session = opener.open(new SessionRequest(policy, environment));
                SandboxedProcess process = session.start(StepRequest.piped(Command.shell(SCRIPT)))) {
            OutputSink ignored = (buffer, offset, length) -> OutputSink.Demand.MORE;
            int code = process.exchange(Exchange.builder()
                            .stdout(ignored)
                            .stderr(ignored)
                            .timeout(PATIENCE)
                            .build())
                    .status()
                    .shellCode();
            if (code != 0) {
                throw new SandboxUnavailableException("mountns", "the proof failed with " + code, "");
            }
        }
    }
}
