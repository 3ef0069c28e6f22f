package dev.sandbox.mountns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.problem.CommandNotStartedException;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.linux.RawSyscalls;
import dev.sandbox.mountns.Box.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What both enforcers must show with real children. */
abstract class MountNamespaceContract {
    /** Keeps the pipe open, also in a process that has left the session. */
    private static final String HOLD_FIFO = "exec 9> w/fifo; echo up >&9; setsid -f sleep 600; sleep 600";

    private Box box = new Box(backend());
    private List<String> mountsBefore = List.of();

    abstract MountNamespaceBackend backend();

    abstract Privilege privilege();

    @BeforeEach
    void look() throws IOException {
        BackendAssessment assessment = backend().assess();
        assumeTrue(assessment.isUsable(), "needs user namespaces: " + assessment.detail());
        mountsBefore = Traces.mounts();
    }

    /** After any run no mount, placeholder or journal is left on the host. */
    @AfterEach
    void nothingIsLeft() throws IOException {
        box.close();
        assertThat(Traces.mounts()).isEqualTo(mountsBefore);
        try (Stream<Path> entries = Files.list(Path.of("/tmp"))) {
            String own = ".sandbox-placeholders-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            assertThat(entries.map(Path::getFileName).map(Path::toString)).noneMatch(own::equals);
        }
    }

    private List<String> tree() throws IOException {
        try (Stream<Path> paths = Files.walk(box.folder)) {
            return paths.map(path -> box.folder.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void theProofPassesAndPromisesCarveOuts() {
        assertThat(backend().assess().held())
                .contains(Guarantee.FS_CARVE_OUT, Guarantee.KILL_TREE, Guarantee.PROC_PRIVATE)
                .doesNotContain(Guarantee.UNIX_SCOPE);
        assertThat(backend().assess().held(Set.of(Guarantee.UNIX_SCOPE))).contains(Guarantee.UNIX_SCOPE);
    }

    @Test
    void callsThatNoStepNeedsAreDenied() {
        Result result = box.sh(box.policy().build(), """
                    /usr/bin/python3 -c 'import ctypes, socket
                    libc = ctypes.CDLL(None, use_errno=True)
                    for n in (425, 426, 427, 438): print(libc.syscall(n, -1, -1, -1, -1, -1, -1), ctypes.get_errno())
                    try: socket.socket(40, 1)
                    except OSError as e: print(e.errno)
                    ' && grep -E "^(NoNewPrivs|Seccomp):" /proc/self/status""");
        assertThat(result.stdout().replace('\t', ' ').lines())
                .containsExactly("-1 1", "-1 1", "-1 1", "-1 1", "1", "NoNewPrivs: 1", "Seccomp: 2");
        assertThat(backend().plan(Box.request(box.policy().build())).lines())
                .contains("seccomp: deny io_uring (EPERM): every io_uring call");
    }

    @Test
    void requiredUnixScopeTakesAbstractSocketsAwayWithOrWithoutANetwork() {
        String connect = """
                    /usr/bin/python3 -c 'import socket
                    s = socket.socketpair()
                    try: socket.socket(socket.AF_UNIX).connect("\\0box-abstract")
                    except OSError as e: print(type(e).__name__)
                    else: print("reached")'""";
        try (AbstractSocket listening = AbstractSocket.listen("box-abstract")) {
            assertThat(listening.isAlive()).isTrue();
            // Landlock's scope, ABI 6.
            assertThat(box.sh(box.policy().build(), connect).stdout()).isEqualTo("PermissionError\n");
            SandboxPolicy.Builder required = box.policy().addRequire(Guarantee.UNIX_SCOPE);
            assertThat(box.sh(required.build(), connect).stdout()).isEqualTo("PermissionError\n");
            assertThat(box.sh(required.network(NetworkPolicy.none()).build(), connect)
                            .stdout())
                    .isEqualTo("ConnectionRefusedError\n");
        }
    }

    @Test
    void grantsOfFilesDirectoriesAndAnEmptyFileAreReadAndNotWritten() {
        box.file("r/x", "one");
        box.file("f", "two");
        box.file("empty", "");
        box.file("secret", "three");
        SandboxPolicy policy =
                box.policy().addReadPaths("r", "r/x", "f", "empty").build();
        Result result = box.sh(policy, "cat r/x f empty; ls; echo > r/x; echo > f; echo > r/new; cat secret");
        assertThat(result.stdout()).isEqualTo("onetwoempty\nf\nr\n");
        assertThat(result.stderr()).contains("cannot create r/x", "cannot create f", "cannot create r/new");
        assertThat(result.stderr()).contains("secret: No such file");
    }

    @Test
    void newFilesInAWriteGrantAppearOnTheHostWithTheUsersUid() throws IOException {
        box.file("w/old", "");
        Result result = box.sh(box.policy().addWritePaths("w").build(), "echo new > w/new; stat -c %u w/new; id -u");
        Path made = box.folder.resolve("w/new");
        assertThat(Files.readString(made)).isEqualTo("new\n");
        Object uid = Files.getAttribute(made, "unix:uid");
        assertThat(result.stdout()).isEqualTo(uid + "\n" + uid + "\n");
    }

    @Test
    void blockedPathsAreHiddenByTheirKind() {
        box.file("w/.env", "secret");
        box.file("w/keys/id", "secret");
        SandboxPolicy policy = box.policy()
                .addWritePaths("w")
                .addBlockedPaths("w/.env", "w/keys")
                .build();
        Result result = box.sh(
                policy,
                "cat w/.env; cat w/keys/id; ls w/keys; echo > w/.env; rm w/.env; mv w/.env w/e; ln w/.env w/l;"
                        + " chmod 777 w/.env w/keys; mv w/keys w/k; rm -r w/keys; cat w/.env w/e w/l w/k/id w/keys/id");
        assertThat(result.stdout()).isEmpty();
        assertThat(result.code()).isNotZero();
        assertThat(box.folder.resolve("w/.env")).hasContent("secret");
        assertThat(box.folder.resolve("w/keys/id")).hasContent("secret");
    }

    @Test
    void blockedWritePathsAreReadAndNeverWritten() {
        box.file("w/f", "kept");
        box.file("w/d/x", "kept");
        SandboxPolicy policy = box.policy()
                .addWritePaths("w")
                .addBlockedWritePaths("w/f", "w/d")
                .build();
        Result result = box.sh(
                policy,
                "cat w/f w/d/x; echo n > w/f; echo n > w/d/x; echo n > w/d/n; rm -f w/f; mv w/d w/e;"
                        + " ln -s f w/s; echo n > w/s; ln w/f w/h; echo n > w/h");
        assertThat(result.stdout()).isEqualTo("keptkept");
        assertThat(box.folder.resolve("w/f")).hasContent("kept");
        assertThat(box.folder.resolve("w/d/x")).hasContent("kept");
        assertThat(box.folder.resolve("w/d/n")).doesNotExist();
    }

    @Test
    void missingBlockedPathsCannotBeMadeAndLeaveNothing() throws IOException {
        box.file("w/a/x", "");
        List<String> before = tree();
        SandboxPolicy policy = box.policy()
                .addWritePaths("w")
                .addBlockedPaths("w/.env", "w/a/b/c/key")
                .addBlockedWritePaths("w/.git")
                .build();
        Result result = box.sh(
                policy,
                "echo n > w/.env; mkdir w/.git; echo n > w/.git; rm -rf w/a; mv w/a w/q; mkdir -p w/a/b/c;"
                        + " echo n > w/a/b/c/key; cat w/.env w/.git w/a/b/c/key; ls w");
        assertThat(result.stdout()).isEqualTo("a\n");
        // The step may remove w/a/x, which nothing protects.
        assertThat(tree())
                .containsExactlyElementsOf(
                        before.stream().filter(name -> !name.endsWith("/x")).toList());
    }

    @Test
    void twoRunsShareAPlaceholderUntilTheLastEnds() throws Exception {
        box.file("w/x", "");
        SandboxPolicy policy =
                box.policy().addWritePaths("w").addBlockedPaths("w/.env").build();
        try (IsolationSession session = box.backend.open(Box.request(policy));
                SandboxedProcess first = session.start(StepRequest.piped(Command.shell("sleep 1; echo n > w/.env")))) {
            box.sh(policy, "true");
            assertThat(box.folder.resolve("w/.env")).exists();
            Box.finish(first);
            assertThat(box.folder.resolve("w/.env")).isEmptyFile();
        }
        assertThat(box.folder.resolve("w/.env")).doesNotExist();
    }

    @Test
    void nothingLiftsAMask() {
        box.file("w/d/.env", "secret");
        SandboxPolicy policy =
                box.policy().addWritePaths("w").addBlockedPaths("w/d/.env").build();
        Result result = box.sh(
                policy,
                "umount w/d/.env; umount -l w/d; mount -o remount,rw /usr; mount -o remount,bind,rw w/d/.env;"
                        + " unshare -Urm sh -c 'umount w/d/.env; umount -l w/d; mount -o remount,bind,rw /usr; cat w/d/.env';"
                        + " chroot / cat w/d/.env; cat /proc/1/root" + box.folder + "/w/d/.env;"
                        + " mv w/d w/e; cat w/e/.env w/d/.env; [ ! -w /usr ] || echo /usr; [ ! -w /etc ] || echo /etc; touch /x");
        assertThat(result.stdout()).isEmpty();
    }

    @Test
    void theStepHasNoCapabilityAndSeesOnlyItsOwnProcesses() {
        Result result = box.sh(
                box.policy().build(),
                "grep -E '^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs)' /proc/self/status; ls /proc | grep -c '^[0-9]'");
        List<String> lines = result.stdout().lines().toList();
        assertThat(lines.subList(0, 5)).allMatch(line -> line.endsWith("\t0000000000000000"));
        assertThat(lines.get(5)).isEqualTo("NoNewPrivs:\t1");
        assertThat(Integer.parseInt(lines.get(6))).isLessThan(8);
        // Only asked: a broken sandbox would change this host.
        assertThat(box.sh(box.policy().build(), "[ -w /proc/sys/kernel/core_pattern ]")
                        .code())
                .isNotZero();
    }

    @Test
    void killingTheRunKillsWhoLeftTheSession() throws Exception {
        box.file("w/x", "");
        SandboxPolicy policy = box.policy().addWritePaths("w").build();
        try (IsolationSession session = box.backend.open(Box.request(policy));
                SandboxedProcess process = session.start(StepRequest.piped(Command.shell(
                        "env -i setsid -f sh -c 'while :; do echo >> w/beat; sleep 0.05; done'; sleep 60")))) {
            Path beat = box.folder.resolve("w/beat");
            for (int i = 0; i < 400 && !Files.exists(beat); i++) {
                Thread.sleep(25);
            }
            process.destroyTree();
            Box.finish(process);
            long size = Files.size(beat);
            Thread.sleep(300);
            assertThat(Files.size(beat)).isEqualTo(size);
        }
    }

    @Test
    void exitCodesAndSignalsPassThrough() {
        SandboxPolicy policy = box.policy().build();
        assertThat(box.sh(policy, "exit 42").code()).isEqualTo(42);
        assertThat(box.sh(policy, "kill -9 $$").code()).isEqualTo(137);
        assertThat(box.run(Box.request(policy), Command.of("printf", "%s", "a b'c\n$d"))
                        .stdout())
                .isEqualTo("a b'c\n$d");
        assertThatThrownBy(() -> box.run(Box.request(policy), Command.of("no-such-program")))
                .isInstanceOf(CommandNotStartedException.class);
    }

    @Test
    void variablesArriveAsTheyAre() {
        Map<String, String> variables = new HashMap<>();
        variables.put("PATH", "/usr/bin:/bin");
        variables.put("ODD", "a 'b' \"c\" $d `e` \\ \n\u00e4");
        variables.put("LD_PRELOAD", "");
        Result result = box.run(Box.request(box.policy().build(), variables), Command.shell("printf %s \"$ODD\""));
        assertThat(result.stdout()).isEqualTo(variables.get("ODD"));
        Result names = box.run(Box.request(box.policy().build(), variables), Command.of("/usr/bin/env"));
        assertThat(names.stdout()).doesNotContain("_SANDBOX_0", "SHLVL");
    }

    @Test
    void namesWithAnythingInThemAreGrantedAndBlocked() throws IOException {
        List<String> odd =
                List.of("a b", "q'uote\"s", "line\nbreak", "$HOME `x`", "back\\slash\\040", "#hash", "tab\t,");
        SandboxPolicy.Builder policy = box.policy();
        for (String name : odd) {
            box.file("r/" + name, name);
            box.file("w/" + name + "/.env", "secret");
            policy.addReadPaths("r/" + name).addWritePaths("w/" + name).addBlockedPaths("w/" + name + "/.env");
        }
        Result result = box.sh(policy.build(), "cat r/*; cat w/*/.env; for d in w/*; do echo > \"$d/new\"; done");
        assertThat(result.stdout()).hasSameSizeAs(String.join("", odd)).doesNotContain("secret");
        for (String name : odd) {
            assertThat(box.folder.resolve("w/" + name + "/new")).exists();
        }
    }

    @Test
    void aThousandGrantsAreNoDifferent() {
        String[] names = new String[1000];
        Arrays.setAll(names, i -> "many/f" + i);
        for (String name : names) {
            box.file(name, ".");
        }
        Result result = box.sh(box.policy().addReadPaths(names).build(), "cat many/* | wc -c");
        assertThat(result.stdout().trim()).isEqualTo("1000");
    }

    @Test
    void tmpIsPrivateAndGrantsUnderItAreGivenBack() throws IOException {
        Path shared = Files.createTempDirectory(Path.of("/tmp"), "granted-");
        Path other = Files.createTempFile(Path.of("/tmp"), "other-", "");
        try {
            Result result = box.sh(
                    box.policy().addWritePaths(shared.toString()).build(),
                    "echo x > /tmp/mine; echo y > " + shared + "/made; ls /tmp | wc -l; cat " + other);
            assertThat(result.stdout().trim()).isEqualTo("2");
            assertThat(shared.resolve("made")).hasContent("y\n");
            assertThat(Path.of("/tmp/mine")).doesNotExist();
        } finally {
            Files.deleteIfExists(shared.resolve("made"));
            Files.delete(shared);
            Files.delete(other);
        }
    }

    @Test
    void aGrantWorksUnderEveryNameThatItIsGivenAndABlockHoldsUnderThem() throws IOException {
        box.file("real/data", "data");
        box.file("real/secret", "secret");
        Files.createSymbolicLink(box.folder.resolve("link"), Path.of("real"));
        SandboxPolicy policy = box.policy()
                .addWritePaths("real", "link")
                .addBlockedPaths("link/secret")
                .build();
        Result result = box.sh(policy, "cat real/data link/data; cat real/secret link/secret");
        assertThat(result.stdout()).isEqualTo("datadata");
    }

    @Test
    void listGrantsShowNamesAndNoContent() {
        box.file("l/d/x", "secret");
        Result result =
                box.sh(box.policy().addListPaths("l").build(), "find l | sort; cat l/d/x; chmod 644 l/d/x; cat l/d/x");
        assertThat(result.stdout()).isEqualTo("l\nl/d\nl/d/x\n");
    }

    @Test
    void withoutNetworkThereIsALoopbackAtMost() {
        Result result = box.sh(box.policy().network(NetworkPolicy.none()).build(), "cat /proc/net/dev | grep -c :");
        assertThat(result.stdout().trim()).isEqualTo("1");
    }

    @Test
    void aFileThatWasReplacedIsReadInTheNextStepOfASession() throws IOException {
        box.file("f", "one");
        SandboxPolicy policy = box.policy().addReadPaths("f").build();
        try (IsolationSession session = box.backend.open(Box.request(policy))) {
            assertThat(stdout(session, "cat f")).isEqualTo("one");
            Files.move(box.file("g", "two"), box.folder.resolve("f"), StandardCopyOption.REPLACE_EXISTING);
            assertThat(stdout(session, "cat f")).isEqualTo("two");
        }
    }

    @Test
    void aBlockedPathThatCameIntoBeingIsHiddenInTheNextStepOfASession() {
        box.file("w/x", "");
        SandboxPolicy policy =
                box.policy().addWritePaths("w").addBlockedPaths("w/keys").build();
        try (IsolationSession session = box.backend.open(Box.request(policy))) {
            assertThat(stdout(session, "ls w")).contains("x");
            box.file("w/keys/id", "secret");
            assertThat(stdout(session, "cat w/keys/id; ls w/keys")).isEmpty();
        }
    }

    @Test
    void stepsOfASessionRunAtOnceAndDoNotSeeEachOther() throws IOException {
        Path fifo = fifo("w/fifo");
        SandboxPolicy policy = box.policy().addWritePaths("w").build();
        try (IsolationSession session = box.backend.open(Box.request(policy));
                SandboxedProcess first =
                        session.start(StepRequest.piped(Command.shell("echo up > w/fifo; exec sleep 60")))) {
            assertThat(Files.readString(fifo)).isEqualTo("up\n");
            assertThat(stdout(session, "cat /proc/[0-9]*/comm")).doesNotContain("sleep");
            first.destroyTree();
            assertThat(Box.finish(first).code()).isEqualTo(137);
            assertThat(stdout(session, "echo more")).isEqualTo("more\n");
        }
    }

    @Test
    void aClosedSessionEndsItsSteps() throws IOException {
        Path fifo = fifo("w/fifo");
        SandboxPolicy policy = box.policy().addWritePaths("w").build();
        IsolationSession session = box.backend.open(Box.request(policy));
        session.start(StepRequest.piped(Command.shell(HOLD_FIFO)));
        try (BufferedReader reader = Files.newBufferedReader(fifo)) {
            assertThat(reader.readLine()).isEqualTo("up");
            session.close();
            assertThat(reader.readLine()).isNull();
        }
    }

    /** The step holds the pipe: its end is the end of every process of the run. */
    @Test
    void aStepEndsWithAJvmThatIsKilled() throws Exception {
        Path fifo = fifo("w/fifo");
        box.file("w/x", "");
        List<String> before = tree();
        Process jvm = KilledJvm.start(privilege(), box.folder, HOLD_FIFO);
        try (BufferedReader reader = Files.newBufferedReader(fifo)) {
            assertThat(reader.readLine()).isEqualTo("up");
            assertThat(box.folder.resolve("w/.env")).exists();
            jvm.destroyForcibly().waitFor();
            assertThat(reader.readLine()).isNull();
        } finally {
            jvm.destroyForcibly();
        }
        box.sh(KilledJvm.policy(box.folder), "true");
        assertThat(tree()).isEqualTo(before);
    }

    @Test
    void whatIsMountedBelowAGrantHasTheGrantsRights() throws Exception {
        assumeTrue(RawSyscalls.host().geteuid() == 0, "needs root: mounts on the host");
        box.file("r/sub/x", "");
        box.file("w/sub/x", "");
        try (Mounted read = Mounted.tmpfs(box.folder.resolve("r/sub"), "rw");
                Mounted write = Mounted.tmpfs(box.folder.resolve("w/sub"), "noexec")) {
            Result result = box.sh(
                    box.policy().addReadPaths("r").addWritePaths("w").build(),
                    "echo n > r/sub/n; echo n > w/sub/n; cp /bin/true w/sub/t; w/sub/t; mount -o remount,exec w/sub; w/sub/t && echo ran");
            assertThat(result.stdout()).isEmpty();
            assertThat(read.point().resolve("n")).doesNotExist();
            assertThat(write.point().resolve("n")).hasContent("n\n");
        }
    }

    @Test
    void theHostsTmpIsSharedOrGoneWhenThePolicySaysSo() throws IOException {
        Path other = Files.createTempFile(Path.of("/tmp"), "other-", "");
        try {
            String script = "ls -d " + other + "; touch /tmp/made-by-a-step && echo touched";
            SandboxPolicy none = box.policy().tmp(TmpMode.NONE).build();
            assertThat(box.sh(none, script).stdout()).isEmpty();
            SandboxPolicy host = box.policy().tmp(TmpMode.HOST).build();
            assertThat(box.sh(host, script).stdout()).isEqualTo(other + "\ntouched\n");
            assertThat(Path.of("/tmp/made-by-a-step")).exists();
        } finally {
            Files.delete(other);
            Files.deleteIfExists(Path.of("/tmp/made-by-a-step"));
        }
    }

    @Test
    void pipesAreGrantedAndDevicesRefusedByName() throws IOException {
        Path fifo = fifo("r/fifo");
        Result result = box.sh(box.policy().addReadPaths("r/fifo").build(), "[ -p r/fifo ] && echo pipe");
        assertThat(result.stdout()).isEqualTo("pipe\n");
        assertThat(fifo).exists();
        SandboxPolicy device = box.policy().addReadPaths("/dev/kmsg").build();
        assertThatThrownBy(() -> box.sh(device, "true"))
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining("/dev/kmsg");
    }

    private static String stdout(IsolationSession session, String script) {
        try (SandboxedProcess process = session.start(StepRequest.piped(Command.shell(script)))) {
            return Box.finish(process).stdout();
        }
    }

    private Path fifo(String name) throws IOException {
        Path fifo = box.file(name, "");
        Files.delete(fifo);
        Process mkfifo = new ProcessBuilder("/usr/bin/mkfifo", fifo.toString())
                .inheritIO()
                .start();
        mkfifo.onExit().join();
        assertThat(mkfifo.exitValue()).isZero();
        return fifo;
    }
}
