package dev.sandbox.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.isolation.Concurrency;
import dev.sandbox.domain.isolation.ExitStatus;
import dev.sandbox.domain.isolation.OutputSink.Demand;
import dev.sandbox.domain.isolation.RunLedger;
import dev.sandbox.domain.isolation.RunningStep;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.RunAs;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.CommandNotStartedException;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.ProblemCode;
import dev.sandbox.domain.problem.SandboxBusyException;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.RunError;
import dev.sandbox.domain.result.Termination;
import dev.sandbox.testkit.FakeBackend;
import dev.sandbox.testkit.FakeFileSystem;
import dev.sandbox.testkit.FakeHostFiles;
import dev.sandbox.testkit.FakeProcess;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StandardSandboxTest {
    private static final String LONG = "/w/" + "long".repeat(20);
    private static final AbsolutePath SHORT_TMP = AbsolutePath.of("/var/tmp/sandbox-1");

    private final FakeFileSystem files = FakeFileSystem.linux().directory(LONG).file("/x/secret");
    private final FakeHostFiles hostFiles = new FakeHostFiles(files);
    private final FakeProcess process = new FakeProcess();
    private final FakeBackend backend =
            FakeBackend.holdingAll(BackendName.LANDLOCK).starting(step -> process);
    private final AtomicLong clock = new AtomicLong();
    private final StandardSandbox sandbox = new StandardSandbox(
            Host.standard(files),
            hostFiles,
            Map.of("PATH", "/opt/none:/x/dir", "GITHUB_TOKEN", "hunter2"),
            List.of(backend),
            () -> clock.getAndAdd(5_000_000));

    private static SandboxPolicy.Builder policy() {
        return SandboxPolicy.builder().baseDir(AbsolutePath.of("/w"));
    }

    private static SandboxPolicy writing(String path) {
        return policy().addWritePaths(path).workDir(path).build();
    }

    @Test
    void aRunCapturesBothStreamsAndTellsWhoEnforcedWhat() {
        process.printing("out\n").complaining("err\n");
        ExecutionResult result = sandbox.run(writing("."), Command.shell("true"));
        assertThat(result.exitCode()).isZero();
        assertThat(result.stdout()).isEqualTo("out\n");
        assertThat(result.stderr()).isEqualTo("err\n");
        assertThat(result.termination()).isEqualTo(Termination.EXITED);
        assertThat(result.executionTime()).isEqualTo(Duration.ofMillis(10));
        assertThat(result.backend()).isEqualTo(BackendName.LANDLOCK);
        assertThat(result.guarantees()).contains(Guarantee.FS_READ, Guarantee.FS_WRITE);
        assertThat(result.command()).isEqualTo("true");
        assertThat(result.receipt().policyDigest()).matches("[0-9a-f]{64}");
        assertThat(result.receipt().backendDetail()).isEqualTo("fake landlock");
        assertThat(process.closed()).isEqualTo(1);
        assertThat(backend.closed()).isEqualTo(1);
    }

    @Test
    void foldersAreMadeBeforeTheBackendOpensAndHiddenFromGit() {
        backend.beforeOpening(() -> assertThat(hostFiles.created()).contains(AbsolutePath.of("/w/new/.home")));
        sandbox.run(policy().addWritePaths("new").workDir("new").build(), Command.of("true"));
        assertThat(hostFiles.created())
                .extracting(AbsolutePath::toString)
                .containsExactly("/w/new", "/w/new/.cache", "/w/new/.home", "/w/new/.local", "/w/new/.tmp");
        assertThat(hostFiles.written())
                .containsEntry(AbsolutePath.of("/w/new/.cache/.gitignore"), "*\n")
                .hasSize(4);
        assertThat(hostFiles.temporary()).isEmpty();
    }

    @Test
    void aFolderThatStoodBeforeGetsNoFile() {
        files.directory("/w/new/.cache");
        sandbox.run(policy().addWritePaths("new").workDir("new").build(), Command.of("true"));
        assertThat(hostFiles.written())
                .doesNotContainKey(AbsolutePath.of("/w/new/.cache/.gitignore"))
                .hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {".cache", ".local", ".home"})
    void whatIsInTheWayOfOneOfOurFoldersMovesThemAllToAPrivateOneAndSaysSo(String name) {
        hostFiles.obstruct("/w/" + name, "is not a directory");
        ExecutionResult result;
        try (SandboxSession session = sandbox.open(writing("."))) {
            result = session.run(Command.of("true"));
            assertThat(backend.opened().get(0).environment().variables())
                    .containsEntry("HOME", SHORT_TMP + "/.home")
                    .containsEntry("XDG_CACHE_HOME", SHORT_TMP + "/.cache")
                    .containsEntry("TMPDIR", "/w/.tmp");
            assertThat(session.policy().rules())
                    .anyMatch(rule -> rule.path().equals(SHORT_TMP) && rule.access() == Access.WRITE);
        }
        assertThat(result.notes())
                .contains("private folder: caches, packages and HOME are in " + SHORT_TMP
                        + ", which goes with the session: /w/" + name
                        + " is not a directory; remove or rename that to keep them");
        assertThat(hostFiles.created()).doesNotContain(AbsolutePath.of("/w/.home"));
        assertThat(hostFiles.removed()).containsExactly(SHORT_TMP);
    }

    @Test
    void whatIsInTheWayOfTmpdirMovesIt() {
        hostFiles.obstruct("/w/.tmp", "belongs to uid 0");
        ExecutionResult result = sandbox.run(writing("."), Command.of("true"));
        assertThat(backend.opened().get(0).environment().variables())
                .containsEntry("TMPDIR", SHORT_TMP.toString())
                .containsEntry("HOME", "/w/.home");
        assertThat(result.notes()).anyMatch(note -> note.startsWith("private folder: TMPDIR is in"));
        assertThat(hostFiles.removed()).containsExactly(SHORT_TMP);
    }

    @Test
    void anInheritedHomeNeedsNoFolder() {
        hostFiles.obstruct("/w/.home", "is not a directory");
        sandbox.run(
                SandboxPolicy.builder()
                        .from(writing("."))
                        .home(HomeMode.INHERIT)
                        .build(),
                Command.of("true"));
        assertThat(hostFiles.temporary()).isEmpty();
    }

    @Test
    void cleanRemovesWhatWasMadeAndNothingElse() {
        files.directory("/w/.local");
        sandbox.run(writing("."), Command.of("true"));

        assertThat(sandbox.clean(writing(".")))
                .extracting(cleaned -> cleaned.folder() + " " + cleaned.removal())
                .containsExactly("/w/.cache REMOVED", "/w/.local NOT_OURS", "/w/.home REMOVED", "/w/.tmp REMOVED");
        assertThat(sandbox.clean(policy().build()))
                .extracting(cleaned -> cleaned.folder().toString())
                .as("without a write grant, in base_dir")
                .containsExactly("/w/.local");
    }

    @Test
    void cleanLeavesAFolderWithABlockedPathInIt() {
        sandbox.run(writing("."), Command.of("true"));
        SandboxPolicy blocking = SandboxPolicy.builder()
                .from(writing("."))
                .addBlockedWritePaths(".cache/kept")
                .build();

        assertThat(sandbox.clean(blocking))
                .extracting(cleaned -> cleaned.folder() + " " + cleaned.removal())
                .contains("/w/.cache NOT_OURS", "/w/.home REMOVED");
    }

    @Test
    void aTmpdirTooLongForASocketIsReplacedByAShortOneThatIsGrantedAndRemoved() {
        try (SandboxSession session = sandbox.open(writing(LONG))) {
            assertThat(hostFiles.temporary()).containsExactly(SHORT_TMP);
            assertThat(backend.opened().get(0).environment().variables())
                    .containsEntry("TMPDIR", SHORT_TMP.toString())
                    .containsEntry("HOME", LONG + "/.home");
            assertThat(session.policy().rules())
                    .anyMatch(rule -> rule.path().equals(SHORT_TMP) && rule.access() == Access.WRITE);
            assertThat(hostFiles.removed()).isEmpty();
        }
        assertThat(hostFiles.removed()).containsExactly(SHORT_TMP);
    }

    @Test
    void theShortTmpdirIsRemovedAlsoWhenTheBackendFails() {
        backend.beforeOpening(() -> {
            throw new SandboxUnavailableException("landlock", "failed", "");
        });
        assertThatThrownBy(() -> sandbox.run(writing(LONG), Command.of("true")))
                .isInstanceOf(SandboxUnavailableException.class);
        assertThat(hostFiles.removed()).containsExactly(SHORT_TMP);
    }

    @Test
    void theShortTmpdirIsRemovedAlsoWhenTheCommandCannotBeStarted() {
        backend.starting(step -> {
            throw CommandNotStartedException.notFound("nope", "is not on PATH");
        });
        assertThatThrownBy(() -> sandbox.start(writing(LONG), Command.of("nope")))
                .isInstanceOf(CommandNotStartedException.class);
        assertThat(hostFiles.removed()).containsExactly(SHORT_TMP);
        assertThat(backend.closed()).isEqualTo(1);
    }

    @Test
    void aStartedCommandOwnsItsSession() {
        try (SandboxedProcess started = sandbox.start(writing(LONG), Command.of("true"))) {
            assertThat(started.pid()).isEqualTo(4711);
            assertThat(backend.closed()).isZero();
        }
        assertThat(process.closed()).isEqualTo(1);
        assertThat(backend.closed()).isEqualTo(1);
        assertThat(hostFiles.removed()).containsExactly(SHORT_TMP);
    }

    @ParameterizedTest
    @CsvSource({"2000, 2", "500, 0.5", "61000, 61"})
    void aTimeoutIs124AndSaysSo(long millis, String seconds) {
        process.printing("so far\n").ending(ExitStatus.signaled(15), Termination.TIMED_OUT, Completion.Leftovers.NONE);
        ExecutionResult result = sandbox.run(
                policy().limits(Limits.builder()
                                .timeout(Duration.ofMillis(millis))
                                .build())
                        .build(),
                Command.shell("sleep 9"));
        assertThat(result.exitCode()).isEqualTo(124);
        assertThat(result.termination()).isEqualTo(Termination.TIMED_OUT);
        assertThat(result.stdout()).isEqualTo("so far\n");
        assertThat(result.stderr()).isEqualTo("TIMEOUT: Command killed after " + seconds + " seconds\n");
    }

    @Test
    void aSignalIs128AndItsNumber() {
        process.ending(ExitStatus.signaled(9), Termination.SIGNALED, Completion.Leftovers.ENDED);
        ExecutionResult result = sandbox.run(policy().build(), Command.of("true"));
        assertThat(result.exitCode()).isEqualTo(137);
        assertThat(result.signal()).hasValue(9);
        assertThat(result.notes()).contains("processes that outlived the command were ended");
    }

    @Test
    void aProgramThatIsNotFoundIs127AndOneThatCannotBeExecutedIs126() {
        backend.starting(step -> {
            throw CommandNotStartedException.notFound("nope", "is not on PATH");
        });
        ExecutionResult result = sandbox.run(policy().build(), Command.of("nope"));
        assertThat(result.exitCode()).isEqualTo(127);
        assertThat(result.termination()).isEqualTo(Termination.NOT_STARTED);
        assertThat(result.error()).contains(new RunError(ProblemCode.COMMAND_NOT_FOUND, "nope: is not on PATH", ""));
        assertThat(result.stderr()).isEqualTo("COMMAND_NOT_FOUND: nope: is not on PATH\n");
        backend.starting(step -> {
            throw CommandNotStartedException.notExecutable("/w", "is a directory");
        });
        assertThat(sandbox.run(policy().build(), Command.of("/w")).exitCode()).isEqualTo(126);
    }

    @Test
    void skippedGrantsPathEntriesAndDenialsAreTold() {
        files.directory("/x/dir");
        process.complaining("cat: /x/secret: Permission denied\n");
        ExecutionResult result = sandbox.run(policy().addReadPaths("none").build(), Command.of("cat"));
        assertThat(result.notes())
                .containsExactly(
                        "read_paths[0] \"none\" skipped: it does not exist",
                        "PATH entry /x/dir left out: no grant covers it");
        assertThat(result.denials()).singleElement().satisfies(denial -> {
            assertThat(denial.path()).isEqualTo("/x/secret");
            assertThat(denial.rule()).isEqualTo("no grant covers it");
            assertThat(denial.fix()).isEqualTo("read_paths: [/x/secret]");
        });
    }

    @Test
    void aBadPolicyOrNoBackendMakesAndRunsNothing() {
        assertThatThrownBy(() -> sandbox.run(policy().addReadPaths("..").build(), Command.of("true")))
                .isInstanceOf(PolicyInvalidException.class);
        StandardSandbox bare = new StandardSandbox(
                Host.standard(files),
                hostFiles,
                Map.of(),
                List.of(FakeBackend.holding(BackendName.DOCKER, EnumSet.of(Guarantee.FS_READ))),
                () -> 0);
        assertThatThrownBy(() -> bare.run(writing("new"), Command.of("true")))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("fs.write");
        assertThatThrownBy(() -> bare.run(writing(LONG), Command.of("true")))
                .isInstanceOf(SandboxUnavailableException.class);
        assertThat(backend.opened()).isEmpty();
        assertThat(hostFiles.created()).isEmpty();
        assertThat(hostFiles.temporary()).isEmpty();
    }

    @Test
    void theOutputLimitIsKeptPerStream() {
        process.printing("0123456789").complaining("ok");
        SandboxPolicy small =
                policy().limits(Limits.builder().output(4).build()).build();
        ExecutionResult result = sandbox.run(small, Command.of("true"));
        assertThat(result.stdoutTruncated()).isTrue();
        assertThat(result.stdout()).startsWith("01\n[... 6 bytes").endsWith("\n89");
        assertThat(result.stderrTruncated()).isFalse();
    }

    @Test
    void aPlanMakesNothing() {
        assertThat(sandbox.plan(writing(LONG)).lines()).contains("write " + LONG);
        assertThat(hostFiles.created()).isEmpty();
        assertThat(hostFiles.temporary()).isEmpty();
        assertThat(backend.opened()).isEmpty();
    }

    @Test
    void secretsReachNeitherTheStepNorAnyText() {
        sandbox.run(writing("."), Command.of("true"));
        assertThat(backend.opened().get(0).environment().variables()).doesNotContainValue("hunter2");
        assertThat(backend.opened().get(0).toString()).doesNotContain("hunter2");
    }

    private StandardSandbox atMost(int steps) {
        return new StandardSandbox(
                Host.standard(files),
                hostFiles,
                Map.of(),
                List.of(backend),
                clock::incrementAndGet,
                new Concurrency(steps, Duration.ZERO),
                RunLedger.none());
    }

    @Test
    void oneStepTooManyIsRefusedUntilAnotherHasEnded() {
        StandardSandbox two = atMost(2);
        try (SandboxSession session = two.open(writing("."))) {
            StepRequest step = StepRequest.piped(Command.shell("true"));
            SandboxedProcess first = session.start(step);
            try (SandboxedProcess second = session.start(step)) {
                assertThat(two.running()).extracting(RunningStep::id).containsExactly(1L, 2L);
                assertThatThrownBy(() -> session.start(step))
                        .isInstanceOf(SandboxBusyException.class)
                        .hasMessage("SANDBOX_BUSY: more than 2 steps at once; try again later");
                first.close();
                first.close();
                assertThat(two.running()).extracting(RunningStep::id).containsExactly(2L);
                session.start(step).close();
                assertThat(second.pid()).isEqualTo(4711);
            }
            assertThat(two.running()).isEmpty();
        }
    }

    @Test
    void aStepThatFailsToStartGivesItsTurnBack() {
        StandardSandbox one = atMost(1);
        backend.starting(step -> {
            throw new SandboxUnavailableException("", "broken", "");
        });
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> one.run(writing("."), Command.shell("true")))
                    .isInstanceOf(SandboxUnavailableException.class);
        }
        assertThat(one.running()).isEmpty();
    }

    @Test
    void whoeverAsksIsGivenTheProcessOfARun() {
        List<Long> started = new ArrayList<>();
        try (SandboxSession session = sandbox.open(writing("."))) {
            StepRequest step = StepRequest.piped(Command.shell("true"));
            session.run(
                    step,
                    InputStream.nullInputStream(),
                    (buffer, offset, length) -> Demand.MORE,
                    (buffer, offset, length) -> Demand.MORE,
                    process -> started.add(process.pid()));
        }
        assertThat(started).containsExactly(4711L);
    }

    @Test
    void nothingStartsInAClosedSession() {
        SandboxSession session = sandbox.open(writing("."));
        session.close();
        assertThatThrownBy(() -> session.run(Command.shell("true"))).hasMessage("the session is closed");
        assertThat(sandbox.running()).isEmpty();
    }

    private static SandboxPolicy masking() {
        return policy().addWritePaths(".")
                .environment(EnvironmentPolicy.builder()
                        .addPass("GITHUB_TOKEN")
                        .addMask("GITHUB_TOKEN")
                        .build())
                .build();
    }

    @Test
    void aMaskedValueIsSeenNowhereInTheResult() {
        process.printing("a hunter2 b").complaining("cat: /x/hunter2: Permission denied\n");
        files.file("/x/hunter2");

        ExecutionResult result = sandbox.run(masking(), Command.shell("echo hunter2"));

        assertThat(result.stdout()).isEqualTo("a *** b");
        assertThat(result.stderr()).isEqualTo("cat: /x/***: Permission denied\n");
        assertThat(result.command()).isEqualTo("echo ***");
        assertThat(result.denials()).singleElement().satisfies(denial -> {
            assertThat(denial.path()).isEqualTo("/x/***");
            assertThat(denial.fix()).isEqualTo("read_paths: [/x/***]");
        });
        assertThat(result.toString()).doesNotContain("hunter2");
    }

    @Test
    void aStreamThatTheStepInheritsCannotBeMasked() {
        StepRequest step = new StepRequest(Command.of("true"), Stdio.NULL, Stdio.INHERIT, Stdio.PIPE);
        try (SandboxSession session = sandbox.open(masking())) {
            assertThatThrownBy(() -> session.run(step, (b, o, l) -> Demand.MORE, (b, o, l) -> Demand.MORE))
                    .isInstanceOf(PolicyInvalidException.class)
                    .hasMessageContaining("nothing can be masked in an inherited stream");
        }
    }

    @Test
    void whatIsMadeForAStepOfAnotherIdentityIsMadeForThatOne() {
        sandbox.run(
                policy().addWritePaths(".")
                        .runAs(new RunAs(OptionalLong.of(1000), OptionalLong.of(100)))
                        .build(),
                Command.of("true"));
        assertThat(hostFiles.owners()).isNotEmpty().containsOnly(new Identity(1000, 100));
    }

    @Test
    void anObjectionToWhatWasResolvedLeavesTheHostAsItWas() {
        SandboxPolicy policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of("/w"))
                .addWritePaths("missing")
                .build();
        assertThatThrownBy(() -> sandbox.open(policy, resolved -> {
                    assertThat(resolved.directoriesToCreate()).contains(AbsolutePath.of("/w/missing"));
                    throw new PolicyInvalidException("write_paths", "objected", "");
                }))
                .isInstanceOf(PolicyInvalidException.class)
                .hasMessageContaining("objected");
        assertThat(hostFiles.created()).isEmpty();
    }
}
