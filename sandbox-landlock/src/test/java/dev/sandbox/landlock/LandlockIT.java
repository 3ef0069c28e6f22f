package dev.sandbox.landlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.ProcAccess;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.domain.resolve.BaselineEntry;
import dev.sandbox.domain.result.Denial;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.Termination;
import dev.sandbox.linux.LinuxSyscalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real children under a real kernel. */
final class LandlockIT {
    @TempDir
    private Path folder;

    private Fixture fixture;

    @BeforeEach
    void makeFixture() throws IOException {
        fixture = new Fixture(Files.createDirectory(folder.resolve("base")));
    }

    @Test
    void childReadsWhatIsGrantedAndWritesWhereItMay() {
        fixture.file("in/a.txt", "hello");

        ExecutionResult result = fixture.run(
                "cat ../in/a.txt && printf done > r.txt",
                policy -> policy.addReadPaths("in").addWritePaths("out").workDir("out"));

        assertThat(result.exitCode()).isZero();
        assertThat(result.stdout()).isEqualTo("hello");
        assertThat(fixture.read("out/r.txt")).isEqualTo("done");
    }

    @Test
    void childCannotReadListOrChangeWhatIsNotGranted() {
        fixture.file("other/secret", "leak-1").file("other/d/x", "x");

        ExecutionResult result = fixture.run(
                "cat ../other/secret; ls ../other; echo bad > ../other/new; rm ../other/d/x; mv ../other/d ../other/e; mkdir ../m; echo end",
                policy -> policy.addWritePaths("out").workDir("out"));

        assertThat(result.stdout()).isEqualTo("end\n");
        assertThat(fixture.path("other/d/x")).exists();
        assertThat(fixture.path("other/new")).doesNotExist();
        assertThat(fixture.path("m")).doesNotExist();
    }

    @Test
    void readGrantAllowsNoChangeAtAll() {
        fixture.file("in/a.txt", "keep");

        ExecutionResult result = fixture.run(
                "echo x > in/new; echo x >> in/a.txt; truncate -s 0 in/a.txt; rm in/a.txt; ln in/a.txt out/hard; mv in/a.txt out/; echo end",
                policy -> policy.addReadPaths("in").addWritePaths("out"));

        assertThat(result.stdout()).isEqualTo("end\n");
        assertThat(fixture.read("in/a.txt")).isEqualTo("keep");
        assertThat(fixture.path("in/new")).doesNotExist();
        assertThat(fixture.path("out/hard")).doesNotExist();
    }

    @Test
    void fileGrantsReachTheFileAlone() {
        fixture.file("job/state", "old").file("job/other", "old").file("job/read", "read");

        ExecutionResult result = fixture.run(
                "cat job/read; echo new > job/state; cat job/other; echo bad > job/other; echo bad > job/extra; ls job; true",
                policy -> policy.addReadPaths("job/read").addWritePaths("job/state"));

        assertThat(result.stdout()).isEqualTo("read");
        assertThat(fixture.read("job/state")).isEqualTo("new\n");
        assertThat(fixture.read("job/other")).isEqualTo("old");
        assertThat(fixture.path("job/extra")).doesNotExist();
    }

    @Test
    void listGrantShowsNamesAndNoContents() {
        fixture.file("tree/sub/name", "leak-2");

        ExecutionResult result =
                fixture.run("ls tree/sub; cat tree/sub/name; true", policy -> policy.addListPaths("tree"));

        assertThat(result.stdout()).isEqualTo("name\n");
    }

    @Test
    void symlinkInsideAGrantOpensNothingOutside() throws IOException {
        fixture.file("in/x", "x").file("hidden/s", "leak-3");
        Files.createSymbolicLink(fixture.path("in/link"), fixture.path("hidden/s"));

        ExecutionResult result = fixture.run("cat in/link; cat in/x", policy -> policy.addReadPaths("in"));

        assertThat(result.stdout()).isEqualTo("x");
    }

    @Test
    void grantThatIsASymlinkGrantsItsTarget() throws IOException {
        fixture.file("real/x", "through");
        Files.createSymbolicLink(fixture.path("link"), fixture.path("real"));

        assertThat(fixture.run("cat real/x", policy -> policy.addReadPaths("link"))
                        .stdout())
                .isEqualTo("through");
    }

    @Test
    void commandStartsInAWorkDirThatNoGrantCovers() {
        fixture.file("plain/x", "leak-4");

        ExecutionResult result = fixture.run("pwd; cat x; ls; true", policy -> policy.workDir("plain"));

        assertThat(result.stdout()).isEqualTo(fixture.path("plain") + "\n");
    }

    @Test
    void aNameServerFileThatIsALinkOutOfEtcIsReadable() throws IOException {
        fixture.file("root/run/resolve/stub.conf", "nameserver 127.0.0.53");
        Files.createDirectories(fixture.path("root/etc"));
        Files.createSymbolicLink(fixture.path("root/etc/resolv.conf"), Path.of("../run/resolve/stub.conf"));
        AbsolutePath madeUp = AbsolutePath.of(fixture.path("root").toString());
        List<BaselineEntry> entries = List.of(
                new BaselineEntry(madeUp.resolve("etc"), Access.READ),
                new BaselineEntry(madeUp.resolve("etc/resolv.conf"), Access.READ));

        Fixture withRoot = new Fixture(fixture.path("."), LinuxSyscalls.host(), entries, Map.of());

        assertThat(withRoot.run("cat root/etc/resolv.conf", policy -> policy).stdout())
                .isEqualTo("nameserver 127.0.0.53");
        assertThat(fixture.run("cat root/etc/resolv.conf; true", policy -> policy)
                        .stdout())
                .isEmpty();
    }

    @Test
    void environmentOfTheJvmIsUnreadable() {
        String jvm = "/proc/" + ProcessHandle.current().pid();

        for (ProcAccess proc : ProcAccess.values()) {
            ExecutionResult result = fixture.run(
                    "cat " + jvm + "/environ " + jvm + "/maps " + jvm + "/mem; readlink " + jvm
                            + "/fd/1; cat /proc/self/root/proc/" + jvm + "/environ; echo end",
                    policy -> policy.proc(proc));
            assertThat(result.stdout()).as("proc: %s", proc).isEqualTo("end\n");
        }
    }

    /** What contract and documents say of each word; a shell reads it by itself, for a tool would have another /proc/self. */
    @Test
    void procSaysWhatOfProcIsReadable() {
        String look = "read -r name < /proc/self/comm && echo own; read -r count < /proc/1/comm && echo others";

        assertThat(fixture.run(look, policy -> policy.proc(ProcAccess.NONE)).stdout())
                .isEmpty();
        assertThat(fixture.run(look, policy -> policy).stdout()).isEqualTo("own\nothers\n");
        assertThat(fixture.run(look, policy -> policy.proc(ProcAccess.ALL)).stdout())
                .isEqualTo("own\nothers\n");
        assertThat(fixture.run("echo 5 > /proc/self/oom_score_adj || echo refused", policy -> policy)
                        .stdout())
                .isEqualTo("refused\n");
    }

    @Test
    void childCannotSignalTheJvm() {
        ExecutionResult result = fixture.run(
                "kill -0 " + ProcessHandle.current().pid() + " && echo reached; echo end", policy -> policy);

        assertThat(result.stdout()).isEqualTo("end\n");
    }

    @Test
    void childHoldsNoCapability() {
        ExecutionResult result = fixture.run(
                "grep -E '^(CapEff|CapPrm|CapInh|CapAmb|NoNewPrivs)' /proc/self/status",
                policy -> policy.proc(ProcAccess.ALL));

        assertThat(result.stdout().replaceAll("[\\s]+", " "))
                .isEqualTo(
                        "CapInh: 0000000000000000 CapPrm: 0000000000000000 CapEff: 0000000000000000 CapAmb: 0000000000000000 NoNewPrivs: 1 ");
    }

    @Test
    void jvmAndItsOrdinaryChildrenStayUnrestricted() throws Exception {
        fixture.file("outside", "free");
        fixture.run("true", policy -> policy);

        assertThat(fixture.read("outside")).isEqualTo("free");
        assertThat(Files.readString(Path.of("/proc/self/status"))).contains("NoNewPrivs:\t0");
        Process ordinary = new ProcessBuilder("cat", fixture.path("outside").toString()).start();
        assertThat(new String(ordinary.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("free");
    }

    @Test
    void closedNetworkReachesNothingAndAnOpenOneDoes() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String connect = "bash -c 'exec 3<>/dev/tcp/127.0.0.1/" + server.getLocalPort() + "' && echo reached; true";

            assertThat(fixture.run(connect, policy -> policy.network(NetworkPolicy.none()))
                            .stdout())
                    .isEmpty();
            assertThat(fixture.run(connect, policy -> policy).stdout()).isEqualTo("reached\n");
        }
    }

    @Test
    void blockInsideAGrantIsRefusedAndNothingRuns() {
        fixture.file("p/secret", "s");

        assertThatThrownBy(() -> fixture.run(
                        "touch p/ran", policy -> policy.addWritePaths("p").addBlockedPaths("p/secret")))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("fs.carve_out");
        assertThat(fixture.path("p/ran")).doesNotExist();
    }

    @Test
    void denialNamesThePathTheRuleAndTheFix() {
        fixture.file("other/secret", "s");

        ExecutionResult result = fixture.run(
                "cat ../other/secret", policy -> policy.addWritePaths("out").workDir("out"));

        String path = fixture.path("other/secret").toString();
        assertThat(result.denials())
                .containsExactly(new Denial(
                        path, "read", Denial.Source.INFERRED, "no grant covers it", "read_paths: [" + path + "]"));
    }

    @Test
    void fileReplacedByRenameDuringASessionIsReadInTheNextCommand() throws IOException {
        fixture.file("data", "one").file("new", "two");
        try (SandboxSession session = fixture.sandbox().open(fixture.policy(policy -> policy.addReadPaths("data")))) {
            assertThat(session.run(Command.shell("cat data")).stdout()).isEqualTo("one");
            Files.move(fixture.path("new"), fixture.path("data"), StandardCopyOption.REPLACE_EXISTING);
            assertThat(session.run(Command.shell("cat data")).stdout()).isEqualTo("two");
        }
    }

    @Test
    void unknownProgramIsAResultWithCode127() {
        ExecutionResult result =
                fixture.sandbox().run(fixture.policy(policy -> policy), Command.of("no-such-program-xyz"));

        assertThat(result.exitCode()).isEqualTo(127);
        assertThat(result.stderr()).startsWith("COMMAND_NOT_FOUND: no-such-program-xyz");
    }

    @Test
    void programThatIsNotGrantedIsAResultWithCode126() throws IOException {
        fixture.file("tool", "#!/bin/sh\necho ran\n");
        assertThat(fixture.path("tool").toFile().setExecutable(true)).isTrue();

        ExecutionResult result = fixture.sandbox()
                .run(
                        fixture.policy(policy -> policy),
                        Command.of(fixture.path("tool").toString()));

        assertThat(result.exitCode()).isEqualTo(126);
        assertThat(result.stdout()).isEmpty();
    }

    @Test
    void manyRunsLeakNoDescriptorThreadOrZombie() throws IOException {
        try (SandboxSession session = fixture.sandbox().open(fixture.policy(policy -> policy.addWritePaths("out")))) {
            Command nothing = Command.of("/bin/true");
            session.run(nothing);
            long descriptors = count("/proc/self/fd");
            long threads = threads();
            for (int i = 0; i < 300; i++) {
                assertThat(session.run(nothing).termination()).isEqualTo(Termination.EXITED);
            }
            assertThat(count("/proc/self/fd")).isLessThanOrEqualTo(descriptors);
            assertThat(threads()).isLessThanOrEqualTo(threads);
            assertThat(ProcessHandle.current().children().filter(child -> !child.isAlive()))
                    .isEmpty();
        }
    }

    /** Those that wait for the next spawn are the JVM's; how many depends on how soon the last one was back. */
    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().startsWith("sandbox-spawn-"))
                .count();
    }

    private static long count(String directory) throws IOException {
        try (var entries = Files.list(Path.of(directory))) {
            return entries.count();
        }
    }
}
