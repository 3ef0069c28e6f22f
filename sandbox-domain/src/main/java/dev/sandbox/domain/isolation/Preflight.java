package dev.sandbox.domain.isolation;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.environment.EnvironmentPlan;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.PolicyResolver;
import dev.sandbox.domain.result.CapturedOutput;
import java.time.Duration;
import java.util.Optional;

/**
 * How a backend proves itself: a real child, under a small policy, reads and writes what it may, and fails to read and write what
 * it may not. Support is found by trying, never by reading a version or a sysctl.
 */
public final class Preflight {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int OUTPUT_KEPT = 4096;
    private static final String SCRIPT = """
            IFS= read -r word < granted/word || { echo 'a granted file could not be read'; exit 1; }
            [ "$word" = granted ] || { echo 'a granted file read differently'; exit 1; }
            { echo word > writable/new; } || { echo 'a granted folder could not be written'; exit 1; }
            if { IFS= read -r word < secret/word; } 2>/dev/null; then echo 'a forbidden file was read'; exit 1; fi
            if { echo word > secret/new; } 2>/dev/null; then echo 'a forbidden folder was written'; exit 1; fi
            exit 0
            """;

    private Preflight() {}

    /** Opens a backend's session for the proof. */
    @FunctionalInterface
    public interface Opener {
        /** As {@link IsolationBackend#open}, without asking whether the backend proved itself. */
        IsolationSession open(SessionRequest request);
    }

    /** Runs the proof; absent when it held, else what failed, for people. */
    public static Optional<String> failure(Host host, HostFiles files, Opener opener) {
        AbsolutePath folder = files.createHidden();
        try {
            return failure(host, files, opener, folder);
        } catch (SandboxException e) {
            return Optional.of(e.problems().get(0).line());
        } finally {
            files.removeTree(folder);
        }
    }

    private static Optional<String> failure(Host host, HostFiles files, Opener opener, AbsolutePath folder) {
        for (String name : new String[] {"granted", "secret"}) {
            files.createDirectory(folder.resolve(name));
            files.writeIfMissing(folder.resolve(name), "word", name + "\n");
        }
        files.createDirectory(folder.resolve("writable"));
        SandboxPolicy policy = SandboxPolicy.builder()
                .baseDir(folder)
                .addReadPaths("granted")
                .addWritePaths("writable")
                .build();
        EnvironmentPlan environment =
                EnvironmentPlan.builder().putVariables("PATH", "/usr/bin:/bin").build();
        CapturedOutput said = new CapturedOutput(OUTPUT_KEPT);
        try (IsolationSession session =
                        opener.open(new SessionRequest(PolicyResolver.resolve(policy, host), environment));
                SandboxedProcess child = session.start(StepRequest.piped(Command.shell(SCRIPT)))) {
            Completion end = child.exchange(Exchange.builder()
                    .stdout(said)
                    .stderr(said)
                    .timeout(PATIENCE)
                    .build());
            return end.status().equals(ExitStatus.exited(0))
                    ? Optional.empty()
                    : Optional.of("preflight failed (" + end.status() + "): "
                            + said.text().trim());
        }
    }
}
