package dev.sandbox.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.environment.EnvironmentPlan;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.Promise;
import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.IsolationPlan;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.Termination;
import dev.sandbox.domain.verdict.Operation;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every backend must show with real children, whatever its mechanism: it gives what the policy gives and nothing else, it
 * refuses what it cannot enforce before anything runs, and a command finds its arguments, streams and end as it would without it. A
 * backend's test extends this and says where its sandbox comes from:
 *
 * <pre>
 * final class OwnBackendIT extends IsolationBackendContract {
 *     &#64;Override
 *     protected StandardSandbox sandbox() {
 *         return Sandboxes.builder().backend(new OwnBackend()).build();
 *     }
 * }
 * </pre>
 *
 * What a backend does not promise is not asked of it: {@code assess()} is believed when it says that something is missing, and held
 * to what it says is there. The tests are skipped where the backend is not usable at all. They need a POSIX shell, {@code cat},
 * {@code printf}, {@code mkfifo}, {@code setsid} and {@code sleep} where the step runs.
 */
public abstract class IsolationBackendContract extends BackendUnderTest {
    private static final int SEVERAL = 4;

    /** What a child tries when it is compared with the oracle. */
    protected Set<Operation> comparedOperations() {
        return EnumSet.allOf(Operation.class);
    }

    /** How many trees and policies are compared with the oracle; each takes one run. */
    protected int comparedSamples() {
        return 40;
    }

    @Test
    void theAssessmentIsTheBackendsOwnTellsReasonsAndIsRemembered() {
        BackendAssessment assessment = assessment();

        assertThat(assessment.backend()).isEqualTo(backend().name());
        assertThat(assessment.detail()).isNotBlank();
        assertThat(assessment.promises().values()).extracting(Promise::reason).noneMatch(String::isBlank);
        assertThat(assessment()).isEqualTo(assessment);
    }

    @Test
    void aPlanIsMadeWithoutEffectAndIsTheSameEachTime() throws IOException {
        file("in/a", "a");
        List<String> before = tree();
        SandboxPolicy policy =
                policy().addReadPaths("in", "in/a").addWritePaths("out").build();

        IsolationPlan plan = plan(policy);

        assertThat(plan.lines()).isNotEmpty().isEqualTo(plan(policy).lines());
        assertThat(plan.document()).isNotEmpty().isEqualTo(plan(policy).document());
        assertThat(tree()).isEqualTo(before);
    }

    private IsolationPlan plan(SandboxPolicy policy) {
        return backend()
                .plan(new SessionRequest(
                        sandbox().resolve(policy), EnvironmentPlan.builder().build()));
    }

    @Test
    void whatIsGrantedIsReadAndWrittenAndNothingElse() throws IOException {
        file("in/a", "hello");
        file("secret/s", "secret");
        file("out/old", "old");

        ExecutionResult result = sh(
                policy -> policy.addReadPaths("in").addWritePaths("out"),
                "cat in/a; cat secret/s; echo x > secret/new; echo x >> in/a; echo x > in/new; rm in/a; mv in/a out/a;"
                        + " ln in/a out/hard; mkdir secret/d; rm out/old; echo done > out/r; true");

        assertThat(result.stdout()).isEqualTo("hello");
        assertThat(tree())
                .contains("in/a", "secret/s", "out/r")
                .doesNotContain("in/new", "secret/new", "secret/d", "out/hard", "out/old");
        assertThat(folder.resolve("in/a")).hasContent("hello");
        assertThat(folder.resolve("out/r")).hasContent("done");
    }

    @Test
    void theEmptyPolicyGivesNothingOfTheFolderAndLeavesNothingInIt() throws IOException {
        file("a", "secret");
        List<String> before = tree();

        ExecutionResult result = sh(policy -> policy, "cat a; echo x > new; echo x > a; echo end");

        assertThat(result.stdout()).isEqualTo("end\n");
        assertThat(tree()).isEqualTo(before);
        assertThat(folder.resolve("a")).hasContent("secret");
    }

    @Test
    void aGrantOfAFileReachesThatFileAlone() throws IOException {
        file("job/state", "old");
        file("job/input", "input");
        file("job/other", "other");

        ExecutionResult result = sh(
                policy -> policy.addReadPaths("job/input").addWritePaths("job/state"),
                "cat job/input; echo new > job/state; cat job/other; echo x > job/other; echo x > job/more; true");

        assertThat(result.stdout()).isEqualTo("input");
        assertThat(folder.resolve("job/state")).hasContent("new");
        assertThat(folder.resolve("job/other")).hasContent("other");
        assertThat(folder.resolve("job/more")).doesNotExist();
    }

    @Test
    void aLinkInAGrantOpensNothingOutsideAndAGrantThatIsOneGivesWhatItLeadsTo() throws IOException {
        file("in/x", "x");
        file("secret/s", "secret");
        file("real/y", "y");
        Files.createSymbolicLink(folder.resolve("in/link"), folder.resolve("secret/s"));
        Files.createSymbolicLink(folder.resolve("name"), folder.resolve("real"));

        ExecutionResult result =
                sh(policy -> policy.addReadPaths("in", "name"), "cat in/link; cat in/x; cat real/y; true");

        assertThat(result.stdout()).isEqualTo("xy");
    }

    @Test
    void blocksInsideAGrantHoldOrThePolicyIsRefused() throws IOException {
        file("w/keys/k", "secret");
        file("w/conf", "keep");
        UnaryOperator<SandboxPolicy.Builder> rules = policy ->
                policy.addWritePaths("w").addBlockedPaths("w/keys", "w/later").addBlockedWritePaths("w/conf");
        String attack = "cat w/keys/k; echo x > w/conf; rm -f w/conf; mv w/conf w/c; mv w/keys w/z; rm -rf w/keys;"
                + " mkdir w/later && echo x > w/later/f; cat w/conf; echo ok > w/free";
        if (!assessment().promise(Guarantee.FS_CARVE_OUT).isAvailable()) {
            assertThatThrownBy(() -> sh(rules, attack)).isInstanceOf(SandboxUnavailableException.class);
            assertThat(folder.resolve("w/free")).doesNotExist();
            return;
        }

        ExecutionResult result = sh(rules, attack);

        assertThat(result.stdout()).isEqualTo("keep");
        assertThat(folder.resolve("w/keys/k")).hasContent("secret");
        assertThat(folder.resolve("w/conf")).hasContent("keep");
        assertThat(folder.resolve("w/later/f")).doesNotExist();
        assertThat(folder.resolve("w/free")).hasContent("ok");
    }

    @Test
    void aListGrantShowsNamesAndNoContentsOrIsRefused() throws IOException {
        file("tree/sub/name", "secret");
        ExecutionResult result;
        try {
            result = sh(policy -> policy.addListPaths("tree"), "cd tree/sub && echo *; cat name; true");
        } catch (SandboxUnavailableException cannotExpress) {
            return;
        }
        assertThat(result.stdout()).isEqualTo("name\n");
    }

    @Test
    void aPolicyThatNeedsWhatIsMissingIsRefusedBeforeAnythingRuns() {
        BackendAssessment assessment = assessment();
        for (Guarantee guarantee : Guarantee.values()) {
            if (!assessment.promise(guarantee).isAvailable()) {
                assertThatThrownBy(() ->
                                sh(policy -> policy.addWritePaths("out").addRequire(guarantee), "echo x > out/ran"))
                        .as(guarantee.id())
                        .isInstanceOf(SandboxUnavailableException.class)
                        .hasMessageContaining(guarantee.id());
            }
        }
        assertThat(folder.resolve("out/ran")).doesNotExist();
    }

    @Test
    void hostileNamesAreGrantedOneByOne() throws IOException {
        CharsetEncoder encoder =
                Charset.forName(System.getProperty("sun.jnu.encoding")).newEncoder();
        List<String> names =
                HostileNames.list().stream().filter(encoder::canEncode).toList();
        List<String> paths = new ArrayList<>();
        for (String name : names) {
            file("in/" + name, "[" + name + "]");
            paths.add("in/" + name);
        }
        file("in/neighbour", "secret");

        ExecutionResult result = run(
                policy -> policy.addAllReadPaths(paths),
                Command.shell("for f in \"$@\"; do cat -- \"$f\"; done; cat in/neighbour; true", paths));

        assertThat(result.stdout())
                .isEqualTo(names.stream().map(name -> "[" + name + "]").collect(Collectors.joining()));
    }

    @Test
    void argumentsAndVariablesArriveAsTheyAre() {
        List<String> arguments = new ArrayList<>(HostileNames.list());
        arguments.add("");
        CommandArbitraries.Printing printing = CommandArbitraries.Printing.of(arguments);
        String value = String.join("", HostileNames.list());
        EnvironmentPolicy environment =
                EnvironmentPolicy.builder().putSet("HOSTILE", value).build();

        assertThat(run(policy -> policy, printing.command()).stdout()).isEqualTo(printing.expected());
        assertThat(sh(policy -> policy.environment(environment), "printf %s \"$HOSTILE\"")
                        .stdout())
                .isEqualTo(value);
    }

    @Test
    void theCommandStartsInItsWorkDir() throws IOException {
        Files.createDirectories(folder.resolve("w/deep"));

        assertThat(sh(policy -> policy.addWritePaths("w").workDir("w/deep"), "pwd")
                        .stdout())
                .isEqualTo(folder.resolve("w/deep") + "\n");
    }

    @Test
    void howACommandEndsIsToldAsAShellTellsIt() throws IOException {
        file("in/plain", "no program");
        try (SandboxSession session = sandbox().open(policy().addReadPaths("in").build())) {
            ExecutionResult failed = session.run(Command.shell("echo out; echo err >&2; exit 7"));
            assertThat(failed.exitCode()).isEqualTo(7);
            assertThat(failed.termination()).isEqualTo(Termination.EXITED);
            assertThat(failed.stdout()).isEqualTo("out\n");
            assertThat(failed.stderr()).isEqualTo("err\n");

            ExecutionResult killed = session.run(Command.shell("kill -TERM $$"));
            assertThat(killed.signal()).hasValue(15);
            assertThat(killed.exitCode()).isEqualTo(143);

            ExecutionResult missing = session.run(Command.of("no-such-program"));
            assertThat(missing.termination()).isEqualTo(Termination.NOT_STARTED);
            assertThat(missing.exitCode()).isEqualTo(127);
            assertThat(missing.error()).isPresent();

            ExecutionResult noProgram = session.run(Command.of("./in/plain"));
            assertThat(noProgram.termination()).isEqualTo(Termination.NOT_STARTED);
            assertThat(noProgram.exitCode()).isEqualTo(126);
        }
    }

    @Test
    void inputReachesTheStepWholeAndEnds() {
        byte[] input = "0123456789abcdef".repeat(1 << 15).getBytes(UTF_8);
        try (SandboxSession session = sandbox().open(policy().build())) {
            StepRequest cat = new StepRequest(Command.of("cat"), Stdio.PIPE, Stdio.PIPE, Stdio.PIPE);

            assertThat(session.run(cat, new ByteArrayInputStream(input)).stdout())
                    .isEqualTo(new String(input, UTF_8));
            assertThat(session.run(Command.of("cat")).stdout())
                    .as("without input")
                    .isEmpty();
        }
    }

    @Test
    void aStepThatTakesTooLongIsEnded() {
        Limits limits = Limits.builder().timeout(Duration.ofMillis(300)).build();

        ExecutionResult result = sh(policy -> policy.limits(limits), "echo begun; sleep 600");

        assertThat(result.termination()).isEqualTo(Termination.TIMED_OUT);
        assertThat(result.exitCode()).isEqualTo(124);
        assertThat(result.stdout()).isEqualTo("begun\n");
    }

    /** The processes hold a pipe: its end is the end of every one of them. */
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void closingASessionEndsEveryDescendant() throws IOException {
        if (!assessment().promise(Guarantee.KILL_TREE).isAvailable()) {
            return; // aPolicyThatNeedsWhatIsMissingIsRefusedBeforeAnythingRuns has shown that it is refused
        }
        Files.createDirectory(folder.resolve("w"));
        SandboxSession session = sandbox()
                .open(policy().addWritePaths("w")
                        .addRequire(Guarantee.KILL_TREE)
                        .build());
        try {
            assertThat(session.run(Command.of("mkfifo", "w/fifo")).exitCode()).isZero();
            session.start(StepRequest.piped(
                    Command.shell("exec 9> w/fifo; echo up >&9; setsid sleep 600 & setsid sleep 600 & sleep 600")));
            try (BufferedReader reader = Files.newBufferedReader(folder.resolve("w/fifo"))) {
                assertThat(reader.readLine()).isEqualTo("up");
                session.close();
                assertThat(reader.readLine()).isNull();
            }
        } finally {
            session.close();
        }
    }

    @Test
    void sessionsBesideEachOtherKeepTheirOwnPolicies() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(SEVERAL);
        try {
            List<Callable<String>> runs = new ArrayList<>();
            for (int i = 0; i < SEVERAL; i++) {
                file("in" + i + "/x", String.valueOf(i));
                String own = "in" + i;
                runs.add(() -> sh(policy -> policy.addReadPaths(own), "cat in*/x in0/x in1/x in2/x in3/x; true")
                        .stdout());
            }
            List<String> said = new ArrayList<>();
            for (Future<String> run : threads.invokeAll(runs)) {
                said.add(run.get().replaceAll("(.)\\1*", "$1"));
            }
            assertThat(said).containsExactly("0", "1", "2", "3");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void whatAChildFindsIsWhatTheOracleSays() {
        OracleAgreement agreement = new OracleAgreement(sandbox(), comparedOperations(), this::beside);
        AtomicReference<Integer> compared = new AtomicReference<>(0);
        JqwikSession.run(() -> {
            List<DiskSample> samples =
                    DiskSample.samples().sampleStream().limit(comparedSamples()).toList();
            for (DiskSample sample : samples) {
                int answers = agreement.check(sample);
                compared.updateAndGet(sum -> sum + answers);
            }
        });
        assertThat(compared.get()).as("answers compared").isGreaterThan(comparedSamples());
    }
}
