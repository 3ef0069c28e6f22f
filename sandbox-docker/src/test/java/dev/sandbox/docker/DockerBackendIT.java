package dev.sandbox.docker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.OutputSink;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.Termination;
import dev.sandbox.testkit.ChildJvm;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The backend on a real engine. */
class DockerBackendIT {
    static final String IMAGE = "sandbox-test-busybox";

    private static final DockerBackend BACKEND = TestBackend.of(IMAGE);
    private static final StandardSandbox SANDBOX = TestBackend.sandbox(BACKEND);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @BeforeAll
    static void needsAnEngine() {
        assumeTrue(BACKEND.assess().isUsable(), "needs a container engine with the image " + IMAGE);
    }

    @AfterAll
    static void nothingIsLeft() throws InterruptedException {
        if (BACKEND.assess().isUsable()) {
            assertThat(Containers.goneWithin(Duration.ofSeconds(20))).isTrue();
        }
    }

    @BeforeEach
    void reachable() throws IOException {
        folder = folder.toRealPath();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private SandboxPolicy.Builder policy() {
        return SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(folder.toString()))
                .network(NetworkPolicy.none());
    }

    private void file(String name, String content) throws IOException {
        Path path = folder.resolve(name);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    private ExecutionResult run(SandboxPolicy.Builder policy, String text) {
        return SANDBOX.run(policy.build(), Command.shell(text));
    }

    @Test
    void aGrantedFileIsReadAndItsNeighbourIsNot() throws IOException {
        file("in/a.txt", "hello");
        file("in/b.txt", "secret");
        ExecutionResult result =
                run(policy().addReadPaths("in/a.txt"), "cat in/a.txt; ls in; cat in/b.txt; echo x > in/a.txt");
        assertThat(result.stdout()).isEqualTo("helloa.txt\n");
        assertThat(result.stderr()).contains("Read-only");
        assertThat(folder.resolve("in/a.txt")).hasContent("hello");
    }

    @Test
    void aWrittenFileBelongsToTheCaller() throws IOException {
        Files.createDirectory(folder.resolve("w"));
        ExecutionResult result = run(policy().addWritePaths("w"), "echo x > w/new; mkdir w/d");
        assertThat(result.exitCode()).as(result.stderr()).isZero();
        for (String name : List.of("w/new", "w/d")) {
            assertThat(Files.getAttribute(folder.resolve(name), "unix:uid"))
                    .isEqualTo(Files.getAttribute(folder, "unix:uid"));
        }
    }

    @Test
    void blocksInsideAWriteGrantHold() throws IOException {
        file("w/keys/k", "secret");
        file("w/a/b/token", "secret");
        file("w/conf", "keep");
        file("w/hooks/h", "keep");
        SandboxPolicy.Builder policy = policy().addWritePaths("w")
                .addBlockedPaths("w/keys", "w/a/b/token")
                .addBlockedWritePaths("w/conf", "w/hooks");
        ExecutionResult result = run(
                policy,
                "cat w/keys/k; ls w/keys; cat w/a/b/token; mv w/a w/z; mv w/a/b w/z; rm -rf w/keys w/a; chmod 777 w/keys w/a/b/token;"
                        + " cat w/conf w/hooks/h; echo x > w/conf; echo x > w/hooks/new; mv w/hooks w/z; rm -f w/conf; echo ok > w/free");
        assertThat(result.exitCode()).as(result.stderr()).isZero();
        assertThat(result.stdout()).isEqualTo("keepkeep");
        assertThat(folder.resolve("w/keys/k")).hasContent("secret");
        assertThat(folder.resolve("w/a/b/token")).hasContent("secret");
        assertThat(folder.resolve("w/conf")).hasContent("keep");
        assertThat(folder.resolve("w/hooks/new")).doesNotExist();
        // mv falls back to copying across the pinned folder: what it may not read is not in the copy
        assertThat(folder.resolve("w/z/token"))
                .satisfiesAnyOf(
                        copy -> assertThat(copy).doesNotExist(),
                        copy -> assertThat(copy).isEmptyFile());
        assertThat(folder.resolve("w/free")).hasContent("ok");
    }

    @Test
    void aBlockOnAMissingPathHoldsAndLeavesNothingBehind() throws IOException {
        Files.createDirectory(folder.resolve("w"));
        SandboxPolicy.Builder policy =
                policy().addWritePaths("w").addBlockedPaths("w/x/y/.env").addBlockedWritePaths("w/.git");
        ExecutionResult result = run(
                policy,
                "echo x > w/x/y/.env; echo x > w/x/y/.env/f; mkdir w/.git/hooks; echo x > w/.git; rmdir w/.git; mv w/x w/q; echo $?");
        assertThat(result.stdout()).isEqualTo("1\n");
        assertThat(folder.resolve("w/x")).doesNotExist();
        assertThat(folder.resolve("w/.git")).doesNotExist();
        assertThat(folder.resolve("w/q")).doesNotExist();
    }

    @Test
    void oneRunsEndDoesNotLiftABlockThatAnotherRunSharesWithIt() throws IOException {
        Files.createDirectory(folder.resolve("w"));
        SandboxPolicy policy =
                policy().addWritePaths("w").addBlockedPaths("w/.env").build();
        try (SandboxSession second = SANDBOX.open(policy)) {
            try (SandboxSession first = SANDBOX.open(policy)) {
                assertThat(first.run(Command.shell("echo x > w/.env")).exitCode())
                        .isNotZero();
            }
            assertThat(second.run(Command.shell("echo x > w/.env; rm -f w/.env; cat w/.env"))
                            .exitCode())
                    .isNotZero();
            assertThat(folder.resolve("w/.env")).isEmptyFile();
        }
        assertThat(folder.resolve("w/.env")).doesNotExist();
    }

    @Test
    void theEnginesSocketIsNeverHandedOver() {
        Path socket = Path.of(Engine.connect().socket().orElseThrow().toString());
        assertThat(run(policy(), "ls /var/run/docker.sock /run/docker.sock " + socket)
                        .stdout())
                .isEmpty();
        for (Path grant : List.of(socket, socket.getParent())) {
            assertThatThrownBy(() -> run(policy().addReadPaths(grant.toString()), "true"))
                    .isInstanceOf(PolicyInvalidException.class)
                    .hasMessageContaining(socket.toString());
        }
    }

    @Test
    void aPlaceholderWithSomethingBesideItStays() throws IOException {
        Files.createDirectory(folder.resolve("w"));
        ExecutionResult result = run(policy().addWritePaths("w").addBlockedPaths("w/x/.env"), "echo mine > w/x/kept");
        assertThat(result.exitCode()).isZero();
        assertThat(folder.resolve("w/x/kept")).hasContent("mine\n");
        assertThat(folder.resolve("w/x/.env")).doesNotExist();
    }

    @Test
    void theEnvironmentIsTheDerivedOneAndNothingElse() throws IOException {
        Files.createDirectory(folder.resolve("w"));
        SandboxPolicy.Builder policy = policy().addWritePaths("w")
                .workDir("w")
                .environment(EnvironmentPolicy.builder()
                        .putSet("GIVEN", "it's \"quoted\"\nand two lines")
                        .build());
        ExecutionResult result = run(policy, "env; echo \"$GIVEN\"");
        assertThat(result.stdout())
                .contains("PIP_BREAK_SYSTEM_PACKAGES=1")
                .contains("USER=agent")
                .contains("HOME=" + folder.resolve("w/.home"))
                .contains("it's \"quoted\"\nand two lines\n")
                .doesNotContain("HOSTNAME=")
                .doesNotContain("s3cret");
    }

    @Test
    void aStepHasNoPrivilege() {
        ExecutionResult result = run(
                policy(), "grep -E 'CapEff|CapBnd|NoNewPrivs|Seccomp:' /proc/self/status; id -u; ls /dev; touch /x");
        assertThat(result.stdout())
                .contains("CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2")
                .doesNotContain("sda", "kvm");
        assertThat(result.stderr()).contains("Read-only");
    }

    @Test
    void aStepCannotEndTheContainer() {
        ExecutionResult result = run(
                policy(),
                "kill -9 -1; kill -9 1; kill -15 1; for p in $(seq 2 60); do [ $p = $$ ] || kill -9 $p; done; sleep 0.2; echo alive");
        assertThat(result.stdout()).isEqualTo("alive\n");
    }

    @Test
    void aTimeoutEndsTheTree() {
        ExecutionResult result = run(
                policy().limits(Limits.builder().timeout(Duration.ofSeconds(1)).build()),
                "trap '' TERM; echo before; sleep 100 & sleep 100; sleep 100");
        assertThat(result.termination()).isEqualTo(Termination.TIMED_OUT);
        assertThat(result.exitCode()).isEqualTo(124);
        assertThat(result.stdout()).isEqualTo("before\n");
    }

    @Test
    void aCancelledStepEnds() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try (SandboxSession session = SANDBOX.open(policy().build());
                SandboxedProcess process = session.start(StepRequest.piped(Command.shell("sleep 100")))) {
            Future<Termination> end = pool.submit((Callable<Termination>) () -> process.exchange(Exchange.builder()
                            .stdout((b, o, l) -> OutputSink.Demand.MORE)
                            .stderr((b, o, l) -> OutputSink.Demand.MORE)
                            .build())
                    .termination());
            Thread.sleep(200);
            process.cancel();
            assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.CANCELLED);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void endsAreTold() {
        assertThat(run(policy(), "exit 3").exitCode()).isEqualTo(3);
        ExecutionResult killed = run(policy(), "kill -9 $$");
        assertThat(killed.exitCode()).isEqualTo(137);
        assertThat(killed.signal()).hasValue(9);
        assertThat(killed.termination()).isEqualTo(Termination.SIGNALED);
        assertThat(SANDBOX.run(policy().build(), Command.of("nope")).exitCode()).isEqualTo(127);
        assertThat(SANDBOX.run(policy().build(), Command.of("/etc/passwd")).exitCode())
                .isEqualTo(126);
    }

    @Test
    void fiftyMegabytesOnBothStreamsArriveWholeAndApart() {
        long size = 50L * 1024 * 1024;
        AtomicLong out = new AtomicLong();
        AtomicLong err = new AtomicLong();
        AtomicLong wrong = new AtomicLong();
        try (SandboxSession session = SANDBOX.open(policy().build())) {
            ExecutionResult result = session.run(
                    StepRequest.piped(Command.shell("head -c " + size + " /dev/zero | tr '\\0' '\\377' >&2 & head -c "
                            + size + " /dev/zero; wait")),
                    (buffer, offset, length) -> count(buffer, offset, length, (byte) 0, out, wrong),
                    (buffer, offset, length) -> count(buffer, offset, length, (byte) 0xff, err, wrong));
            assertThat(result.exitCode()).isZero();
        }
        assertThat(out).hasValue(size);
        assertThat(err).hasValue(size);
        assertThat(wrong).hasValue(0);
    }

    private static OutputSink.Demand count(
            byte[] buffer, int offset, int length, byte expected, AtomicLong total, AtomicLong wrong) {
        for (int i = offset; i < offset + length; i++) {
            if (buffer[i] != expected) {
                long unused = wrong.incrementAndGet();
            }
        }
        long unused = total.addAndGet(length);
        return OutputSink.Demand.MORE;
    }

    @Test
    void inputIsForwardedAndClosed() throws Exception {
        try (SandboxSession session = SANDBOX.open(policy().build());
                SandboxedProcess process =
                        session.start(new StepRequest(Command.of("wc", "-c"), Stdio.PIPE, Stdio.PIPE, Stdio.PIPE))) {
            try (OutputStream stdin = process.stdin()) {
                stdin.write(new byte[3_000_000]);
            }
            try (InputStream stdout = process.stdout()) {
                assertThat(new String(stdout.readAllBytes(), UTF_8).strip()).isEqualTo("3000000");
            }
            assertThat(process.waitFor(Duration.ofSeconds(10))).isPresent();
        }
    }

    @Test
    void oddNamesAreOnlyNames() throws IOException {
        for (String name :
                List.of("a b", "a:b:ro", "a,b=c", "it's \"q\"", "ünï→", "new\nline", "$(x)", "back\\slash", "-rf")) {
            file(name + "/f", "content");
            ExecutionResult result = SANDBOX.run(
                    policy().addWritePaths("./" + name)
                            .addBlockedWritePaths("./" + name + "/f")
                            .workDir("./" + name)
                            .build(),
                    Command.shell("cat f && echo x > g && ! echo x > f"));
            assertThat(result.exitCode()).as("%s: %s", name, result.stderr()).isZero();
            assertThat(folder.resolve(name + "/g")).hasContent("x\n");
        }
    }

    @Test
    void theSecondCommandOfASessionFindsTheSameTmp() {
        try (SandboxSession session = SANDBOX.open(policy().build())) {
            assertThat(session.run(Command.shell("echo kept > /tmp/f; sleep 100 &"))
                            .notes())
                    .contains("processes that outlived the command were ended");
            ExecutionResult second = session.run(Command.shell("cat /tmp/f; ps | grep -c '[s]leep 100'"));
            assertThat(second.stdout()).isEqualTo("kept\n0\n");
        }
    }

    @Test
    void aMissingImageIsNamed() {
        assertThatThrownBy(() -> run(policy().image("no-such-image"), "true"))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("no-such-image")
                .hasMessageContaining("none is pulled");
    }

    @Test
    void memoryIsBounded() {
        ExecutionResult result = run(
                policy().limits(Limits.builder().memory(32L * 1024 * 1024).build()),
                "head -c 200000000 /dev/zero | tail >/dev/null; exit $?");
        assertThat(result.exitCode()).isNotZero();
    }

    @Test
    void networkNoneIsNone() {
        ExecutionResult result = run(policy(), "ip -o link | grep -v ' lo:' ; cat /proc/net/route | wc -l");
        assertThat(result.stdout()).isEqualTo("1\n");
    }

    @Test
    void aContainerDoesNotOutliveAKilledOwner() throws Exception {
        Process child = ChildJvm.of(SleepingOwner.class, folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (InputStream said = child.getInputStream()) {
            assertThat(said.read()).isEqualTo('R');
            child.destroyForcibly().waitFor();
            assertThat(folder.resolve("absent/file")).isEmptyFile();
            int pruned = ContainerEngine.connect().prune();
            assertThat(pruned).isLessThanOrEqualTo(1);
            assertThat(Containers.goneWithin(Duration.ofSeconds(20), child.pid()))
                    .isTrue();
        }
        assertThat(run(policy().addWritePaths("other").addBlockedPaths("other/x"), "true")
                        .exitCode())
                .isZero();
        assertThat(folder.resolve("absent")).as("what the killed one left").doesNotExist();
    }

    @Test
    void aGrantAndABlockHoldUnderTheNameThatWasWrittenAndUnderTheRealOne() throws IOException {
        file("real/sub/secret", "secret");
        file("real/sub/data", "data");
        file("real/config", "keep");
        Files.createSymbolicLink(folder.resolve("second"), Path.of("real"));
        Files.createSymbolicLink(folder.resolve("link"), Path.of("second"));
        Files.createSymbolicLink(folder.resolve("deep"), Path.of("link/sub"));
        SandboxPolicy.Builder policy = policy().addReadPaths("real/sub", "deep")
                .addWritePaths("real", "link")
                .workDir("link")
                .addBlockedPaths("link/sub/secret")
                .addBlockedWritePaths("second/config");
        ExecutionResult result = run(
                policy,
                "cd " + folder
                        + "; for d in real link; do cat $d/sub/data; cat $d/sub/secret; echo x > $d/config; mv $d/sub $d/z; echo x > $d/new-$d;"
                        + " done 2>/dev/null; cat deep/data; cat deep/secret; ls real | grep -c new");
        assertThat(result.stdout()).isEqualTo("datadatadata2\n");
        assertThat(folder.resolve("real/config")).hasContent("keep");
        assertThat(folder.resolve("real/new-link")).exists();
    }

    @Test
    void aNameOfBaseDirThatIsALinkWorks() throws IOException {
        file("data/in/f", "data");
        Files.createSymbolicLink(folder.resolve("project"), Path.of("data"));
        SandboxPolicy policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(folder.resolve("project").toString()))
                .addReadPaths("in")
                .network(NetworkPolicy.none())
                .build();
        assertThat(SANDBOX.run(policy, Command.of("cat", folder + "/project/in/f", folder + "/data/in/f"))
                        .stdout())
                .isEqualTo("datadata");
    }

    @Test
    void whatAnOrphanDoesDoesNotEndTheStep() {
        assertThat(run(policy(), "(sleep 0.2 &); sleep 1; echo done").stdout()).isEqualTo("done\n");
    }

    @Test
    void whatItPromisesCoversBlocksAndLimits() {
        assertThat(BACKEND.assess().held())
                .contains(Guarantee.FS_CARVE_OUT, Guarantee.KILL_TREE, Guarantee.NET_NONE, Guarantee.LIMIT_MEMORY);
    }

    @Test
    void aContradictionIsStillThePolicys() {
        assertThatThrownBy(() -> run(policy().addReadPaths("../.."), "true"))
                .isInstanceOf(PolicyInvalidException.class);
    }
}
