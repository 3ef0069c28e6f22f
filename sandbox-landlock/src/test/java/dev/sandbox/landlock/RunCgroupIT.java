package dev.sandbox.landlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.UserNamespaces;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.Termination;
import dev.sandbox.linux.CgroupDelegation;
import dev.sandbox.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code require: [kill.tree]}: a process that hides from every other way of finding it ends with its run. */
@Timeout(120)
class RunCgroupIT {
    private static final String NAME = "864" + ProcessHandle.current().pid();
    private static final String HIDE = "rm -f w/ready; (env -i setsid sh -c 'echo > w/ready; exec sleep " + NAME
            + "' </dev/null >/dev/null 2>&1 &); until test -e w/ready; do :; done; echo hidden; ";

    @TempDir
    private Path folder;

    private Path cgroups;
    private Set<Path> before = Set.of();
    private Fixture fixture;

    @BeforeEach
    void assumeDelegated() throws IOException {
        Optional<Path> usable = CgroupDelegation.ofThisProcess().usable();
        assumeTrue(usable.isPresent(), "needs a delegated cgroup");
        cgroups = usable.get();
        before = all();
        fixture = new Fixture(folder).file("w/in", "");
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        List<ProcessHandle> left = hidden();
        left.forEach(ProcessHandle::destroyForcibly);
        assertThat(left).isEmpty();
        assertThat(made()).isEmpty();
    }

    private static List<ProcessHandle> hidden() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").endsWith("sleep " + NAME))
                .toList();
    }

    /** Since this test began: another program's are not looked at. */
    private Set<Path> made() throws IOException {
        Set<Path> made = all();
        made.removeAll(before);
        return made;
    }

    private Set<Path> all() throws IOException {
        try (Stream<Path> folders = Files.list(cgroups)) {
            return folders.filter(path -> path.getFileName().toString().matches("sandbox-[-0-9a-f]{36}-[0-9]+"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private SandboxPolicy requiring(UnaryOperator<SandboxPolicy.Builder> more) {
        return fixture.policy(policy -> more.apply(policy.addWritePaths("w").addRequire(Guarantee.KILL_TREE)));
    }

    @Test
    void whatHidesEndsWithTheRun() {
        ExecutionResult result = fixture.sandbox().run(requiring(policy -> policy), Command.shell(HIDE));
        assertThat(result.stdout()).isEqualTo("hidden\n");
        assertThat(result.exitCode()).isZero();
        assertThat(result.guarantees()).contains(Guarantee.KILL_TREE);
        assertThat(result.notes()).contains("processes that outlived the command were ended");
    }

    /** The reason for all of this; were it not so any more, kill.tree could be promised to everybody. */
    @Test
    void withoutTheRequirementItLivesOn() {
        ExecutionResult result =
                fixture.sandbox().run(fixture.policy(policy -> policy.addWritePaths("w")), Command.shell(HIDE));
        assertThat(result.guarantees()).doesNotContain(Guarantee.KILL_TREE);
        List<ProcessHandle> left = hidden();
        assertThat(left).hasSize(1);
        left.forEach(process -> {
            process.destroyForcibly();
            process.onExit().join();
        });
    }

    @Test
    void whatHidesEndsWithATimeoutAndWithTheSession() {
        ExecutionResult late = fixture.sandbox()
                .run(
                        requiring(policy -> policy.limits(
                                Limits.builder().timeout(Duration.ofSeconds(2)).build())),
                        Command.shell(HIDE + "exec sleep 1000"));
        assertThat(late.termination()).isEqualTo(Termination.TIMED_OUT);
        assertThat(hidden()).isEmpty();

        SandboxSession session = fixture.sandbox().open(requiring(policy -> policy));
        SandboxedProcess process = session.start(StepRequest.piped(Command.shell(HIDE + "exec sleep 1000")));
        assertThat(process.stdout())
                .satisfies(stream -> assertThat(stream.readNBytes(7)).asString().isEqualTo("hidden\n"));
        session.close();
    }

    @Test
    void theStepIsTheProgramAsGivenAndCannotLeave() {
        String leave = "echo $$ > " + cgroups.resolve("cgroup.procs")
                + " && echo left; (echo >&3) 2>&- && echo open; echo \"$0 $1\"";
        ExecutionResult result =
                fixture.sandbox().run(requiring(policy -> policy), Command.of("/bin/sh", "-c", leave, "me", "a b"));
        assertThat(result.stdout()).isEqualTo("me a b\n");
    }

    @Test
    void theStepHasItsEnvironmentAndNothingOfItRunsBefore() {
        Map<String, String> set = Map.of(
                "LD_PRELOAD",
                "",
                "BASH_ENV",
                "w/in",
                "ENV",
                "w/in",
                "PS4",
                "$(touch w/early)",
                "SHELLOPTS",
                "xtrace",
                "IFS",
                " ;",
                "_",
                "under",
                "LINES",
                "two\nlines");
        UnaryOperator<SandboxPolicy.Builder> setting = policy ->
                policy.environment(EnvironmentPolicy.builder().putAllSet(set).build());
        Command env = Command.of("/usr/bin/env", "-0");
        Set<String> usual = variables(fixture.sandbox()
                .run(fixture.policy(policy -> setting.apply(policy.addWritePaths("w"))), env)
                .stdout());
        assertThat(variables(fixture.sandbox().run(requiring(setting), env).stdout()))
                .isEqualTo(usual);
        assertThat(usual).contains("IFS= ;", "_=under", "LINES=two\nlines");
        assertThat(folder.resolve("w/early")).doesNotExist();
    }

    private static Set<String> variables(String printed) {
        return Arrays.stream(printed.split("\0"))
                .filter(entry -> !entry.startsWith("SANDBOX_RUN_ID="))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void aProgramThatIsMissingIsToldAsEver() {
        ExecutionResult result = fixture.sandbox().run(requiring(policy -> policy), Command.of("no-such-program"));
        assertThat(result.exitCode()).isEqualTo(127);
        assertThat(result.stderr()).contains("no-such-program");
    }

    @Test
    void whatLetsAStepLeaveIsRefused() {
        assertRefused(policy -> policy.userNamespaces(UserNamespaces.ALLOW), "user_namespaces: allow");
    }

    @Test
    void aGrantWithCgroupsInItIsRefused() throws IOException, InterruptedException {
        assumeTrue(System.getProperty("user.name").equals("root"), "needs root");
        Path place = Files.createDirectories(folder.resolve("w/cgroups"));
        run("mount", "-t", "cgroup2", "none", place.toString());
        try {
            assertRefused(policy -> policy, "w may be written to");
        } finally {
            run("umount", place.toString());
        }
    }

    private static void run(String... argv) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(argv).inheritIO().start().waitFor()).isZero();
    }

    private void assertRefused(UnaryOperator<SandboxPolicy.Builder> more, String why) {
        assertThatThrownBy(() -> fixture.sandbox().run(requiring(more), Command.shell("echo ran > w/ran")))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("kill.tree cannot be held: ")
                .hasMessageContaining(why);
        assertThat(folder.resolve("w/ran")).doesNotExist();
    }

    @Test
    void aJvmThatIsKilledLeavesNothing() throws Exception {
        Process jvm = ChildJvm.of(RunCgroupIT.class, folder.toString(), NAME)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(jvm.getInputStream().readNBytes(7)).asString().isEqualTo("hidden\n");
        jvm.destroyForcibly().waitFor();
        while (!hidden().isEmpty() || !made().isEmpty()) {
            assertThat(Thread.interrupted()).as("in time").isFalse();
        }
    }

    /** The JVM that is killed. */
    public static void main(String[] arguments) throws InterruptedException {
        RunCgroupIT test = new RunCgroupIT();
        test.fixture = new Fixture(Path.of(arguments[0]));
        try (SandboxSession session = test.fixture.sandbox().open(test.requiring(policy -> policy));
                SandboxedProcess process = session.start(new StepRequest(
                        Command.shell(HIDE.replace(NAME, arguments[1]) + "exec sleep 1000"),
                        Stdio.NULL,
                        Stdio.INHERIT,
                        Stdio.INHERIT))) {
            process.waitFor(Duration.ofHours(1));
        }
    }
}
