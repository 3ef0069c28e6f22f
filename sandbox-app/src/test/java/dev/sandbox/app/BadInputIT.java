package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sandbox.app.Sandboxed.Outcome;
import dev.sandbox.app.cli.InProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each mistake is one clear line on standard error and exit code 125, and nothing runs. Most are shown to the command line in the
 * test's own JVM; those about files also to the packaged program.
 */
final class BadInputIT {
    private static final long HUNDRED_MEGABYTES = 100L << 20;

    @TempDir
    private Path folder;

    @BeforeEach
    void makeAGrant() throws IOException {
        Files.createDirectory(folder.resolve("w"));
        Files.createDirectories(folder.resolve("x/a"));
    }

    @AfterEach
    void nothingHasRun() {
        assertThat(folder.resolve("w/ran")).doesNotExist();
    }

    /** With this as its policy file, a command that would leave a mark. */
    private Outcome runWith(String policy) throws IOException {
        return options(
                "--policy", Files.writeString(folder.resolve("policy"), policy).toString());
    }

    /** With these options, a command that would leave a mark. */
    private Outcome options(String... options) {
        List<String> arguments = marking(options);
        arguments.addAll(1, List.of("--base", folder.toString()));
        return inProcess(arguments);
    }

    /** The same by the packaged program, which is called from the folder. */
    private Outcome packaged(String... options) {
        return Sandboxed.from(folder).run(marking(options));
    }

    private static List<String> marking(String... options) {
        List<String> arguments = new ArrayList<>(List.of("run"));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of("--write", "w", "-c", "echo ran > w/ran"));
        return arguments;
    }

    private static Outcome inProcess(List<String> arguments) {
        InProcess.Said said = InProcess.run(arguments.toArray(String[]::new));
        return new Outcome(said.code(), said.out().getBytes(StandardCharsets.UTF_8), said.err());
    }

    private static Outcome inProcess(String... arguments) {
        return inProcess(List.of(arguments));
    }

    @Test
    void theCommandThatTheseTestsRefuseWouldLeaveAMark() throws IOException {
        Files.writeString(folder.resolve("policy"), "home: private\n");
        packaged("--policy", "policy").ended(0);
        assertThat(folder.resolve("w/ran")).hasContent("ran\n");
        Files.delete(folder.resolve("w/ran"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "read_path: [w]|read_path: is not a key of a policy; did you mean read_paths?",
                "Write_Paths: [w]|Write_Paths: is not a key of a policy; did you mean write_paths?",
                "limits: {time: 3s}|limits.time: is not a key of a policy; did you mean limits.timeout?",
                "environment: {sets: {}}|environment.sets: is not a key of a policy; did you mean environment.set?",
                "network: {domain: [a]}|network.domain: is not a key of a policy; did you mean network.domains?"
            })
    void anUnknownKeyNamesTheNearestKnownOne(String policy, String line) throws IOException {
        Outcome outcome = runWith(policy);
        outcome.refused("POLICY_INVALID: ");
        assertThat(outcome.err()).isEqualTo("POLICY_INVALID: " + line + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "base_dir: 3|base_dir: is the number 3, not a text",
                "base_dir: relative|base_dir: \"relative\" is not an absolute path",
                "work_dir: [a]|work_dir: is a list, not a text",
                "read_paths: w|read_paths: is the text \"w\", not a list of texts",
                "write_paths: {a: b}|write_paths: is a mapping, not a list of texts",
                "list_paths: [1]|list_paths[0]: is the number 1, not a text",
                "blocked_paths: [[a]]|blocked_paths[0]: is a list, not a text",
                "blocked_write_paths: [true]|blocked_write_paths[0]: is the truth value true, not a text",
                "extra_system_paths: [null]|extra_system_paths[0]: is empty, not a text",
                "cache_dir: {}|cache_dir: is a mapping, not a text",
                "on_missing: ignore|on_missing: \"ignore\" is not one of skip, create, refuse",
                "home: 1|home: is the number 1, not a text",
                "tmp: shared|tmp: \"shared\" is not one of",
                "proc: some|proc: \"some\" is not one of none, self, all",
                "network: [none]|network: is a list, not",
                "network: open|network: \"open\" is not",
                "network: {tcp_connect: 443}|network.tcp_connect: is the number 443, not a list of ports",
                "network: {tcp_connect: [0]}|network.tcp_connect[0]: is the number 0, not a port",
                "network: {tcp_connect: {a: 1}}|network.tcp_connect: is a mapping, not a list of ports",
                "network: {tcp_bind: [65536]}|network.tcp_bind[0]: is the number 65536, not a port",
                "network: {domains: pypi.org}|network.domains: is the text \"pypi.org\", not a list of names",
                "network: {domains: {a: b}}|network.domains: is a mapping, not a list of names",
                "network: {domains: [a, 127.1]}|network.domains[1]: is the number 127.1, not a name",
                "network: {domains: [a, 127.0.0.1]}|network.domains[1]: \"127.0.0.1\" is an address, not a name",
                "network: {domains: ['a:0']}|network.domains[0]: \"a:0\" has no port behind its colon",
                "environment: native|environment: is the text \"native\", not a mapping",
                "environment: {mode: 3}|environment.mode: is the number 3, not a text",
                "environment: {set: [A]}|environment.set: is a list, not a mapping of names to texts",
                "environment: {set: {A: [b]}}|environment.set.A: is a list, not a text",
                "environment: {set: {'A=B': c}}|environment.set.A=B: \"A=B\" cannot be the name of a variable",
                "environment: {pass: A}|environment.pass: is the text \"A\", not a list of texts",
                "limits: [1]|limits: is a list, not a mapping",
                "limits: {timeout: soon}|limits.timeout: \"soon\" is not a duration",
                "limits: {timeout: 1.5}|limits.timeout: is the number 1.5, not",
                "limits: {timeout: 0}|limits.timeout: \"0\" is no time at all",
                "limits: {output: -1}|limits.output: \"-1\" is not a size",
                "limits: {output: 99999999999GiB}|limits.output: \"99999999999GiB\" is too large",
                "limits: {processes: 0}|limits.processes: is the number 0, not a whole number from 1 on",
                "limits: {open_files: many}|limits.open_files: is the text \"many\", not",
                "run_as: no-such-account|run_as: there is no user \"no-such-account\" in /etc/passwd",
                "backend: chroot|backend: \"chroot\" is not one of auto, landlock, mountns, docker",
                "image: [a]|image: is a list, not a text",
                "require: [fs.magic]|require[0]: \"fs.magic\" is no guarantee; choose from fs.read",
                "require: fs.read|require: is the text \"fs.read\", not a list of texts"
            })
    void aWrongValueIsNamedWithItsKey(String policy, String line) throws IOException {
        runWith(policy).refused("POLICY_INVALID: " + line);
    }

    @Test
    void everyProblemOfAPolicyIsToldAtOnce() throws IOException {
        Outcome outcome = runWith("read_path: [w]\nhome: 1\nlimits: {timeout: soon}\n");
        outcome.refused("POLICY_INVALID: ");
        assertThat(outcome.err()).contains("read_path", "home", "limits.timeout");
    }

    @ParameterizedTest
    @ValueSource(strings = {"just a text", "[1, 2]", "3", "a: b: c", "{\"read_paths\": [\"w\"", "\"\\u0000\"", "\t- x"})
    void aFileThatIsNoMappingIsNoPolicy(String text) throws IOException {
        runWith(text).refused("POLICY_INVALID: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"read_paths: []\nread_paths: [w]\n", "{\"home\": \"private\", \"home\": \"inherit\"}"})
    void aRepeatedKeyIsRefused(String text) throws IOException {
        Outcome outcome = runWith(text);
        outcome.refused("POLICY_INVALID: ");
        assertThat(outcome.err().toLowerCase(Locale.ROOT)).contains("duplicate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"home: private\n---\nhome: inherit\n", "{\"home\": \"private\"} {\"home\": \"inherit\"}"})
    void aSecondDocumentIsRefused(String text) throws IOException {
        runWith(text).refused("POLICY_INVALID: ");
    }

    @Test
    void aliasesThatGrowAreRefused() throws IOException {
        StringBuilder bomb = new StringBuilder("read_paths: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 30; i++) {
            String before = "*a" + (i - 1);
            bomb.append(
                    "k" + i + ": &a" + i + " [" + String.join(", ", List.of(before, before, before, before)) + "]\n");
        }
        runWith(bomb.toString()).refused("POLICY_INVALID: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void deepNestingIsRefused(String opening) throws IOException {
        runWith("{\"read_paths\": " + opening.repeat(100_000)).refused("POLICY_INVALID: ");
        runWith("read_paths: " + opening.repeat(100_000)).refused("POLICY_INVALID: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"read_paths\": [\"a\\u0000b\"]}",
                "{\"write_paths\": [\"/tmp/\\u0000\"]}",
                "{\"blocked_paths\": [\"\\u0000\"]}",
                "{\"base_dir\": \"/\\u0000\"}",
                "{\"work_dir\": \"w\\u0000\"}",
                "{\"cache_dir\": \"w\\u0000\"}",
                "{\"extra_system_paths\": [\"/opt\\u0000\"]}",
                "{\"environment\": {\"set\": {\"A\": \"\\u0000\"}}}",
                "{\"environment\": {\"set\": {\"A\\u0000\": \"\"}}}"
            })
    void aNulCharacterIsRefused(String policy) throws IOException {
        Outcome outcome = runWith(policy);
        outcome.refused("POLICY_INVALID: ");
        assertThat(outcome.err()).doesNotContain("\0");
    }

    @ParameterizedTest
    @CsvSource({
        "--read,..",
        "--read,a/../b",
        "--write,../x",
        "--list,..",
        "--block,..",
        "--block-write,..",
        "--workdir,..",
        "--system-path,.."
    })
    void aRelativePathWithDotDotIsRefused(String option, String path) {
        options(option, path).refused("POLICY_INVALID: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--read", "--write", "--list", "--block", "--workdir", "--system-path"})
    void aRelativePathWhoseLinkLeavesTheBaseIsRefused(String option) throws IOException {
        Path outside = Files.createTempDirectory("outside");
        try {
            Files.createSymbolicLink(folder.resolve("link"), outside);
            Outcome outcome = options(option, "link");
            outcome.refused("POLICY_INVALID: ");
            assertThat(outcome.err()).contains("\"link\" leaves base_dir " + folder);
        } finally {
            Files.delete(outside);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "//", "/./", "/proc", "/sys/kernel", "/dev"})
    void theWholeFileSystemAndPseudoFileSystemsAreNoGrant(String path) {
        options("--read", path).refused("POLICY_INVALID: read_paths[0]: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/usr", "/etc", "/bin", "/usr/lib"})
    void systemDirectoriesAreNotWritable(String path) {
        options("--write", path).refused("POLICY_INVALID: write_paths[0]: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--read|x/a|--block|x",
                "--write|x|--block-write|x",
                "--list|x|--block|./x/",
                "--write|x/a/b|--block-write|x/a"
            })
    void grantsThatABlockWinsOverAreRefused(String grant, String granted, String block, String blocked) {
        Outcome outcome = options(grant, granted, block, blocked);
        outcome.refused("POLICY_INVALID: ");
        assertThat(outcome.err()).contains("\"" + granted + "\"", "\"" + blocked + "\"");
    }

    @Test
    void aPolicyInsideItsOwnWriteGrantIsRefused() throws IOException {
        Files.writeString(folder.resolve("w/policy.yaml"), "write_paths: [w]\n");
        Outcome outcome = packaged("--policy", "w/policy.yaml");
        outcome.refused("POLICY_INVALID: write_paths[0]: ");
        assertThat(outcome.err()).contains("its own policy");
        Files.createSymbolicLink(folder.resolve("alias.yaml"), folder.resolve("w/policy.yaml"));
        packaged("--policy", "alias.yaml").refused("POLICY_INVALID: write_paths[0]: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n"})
    void anEmptyShellTextIsRefused(String text) {
        inProcess("run", "-c", text).refused("COMMAND_INVALID: the command is empty");
    }

    @Test
    void anEmptyArgumentVectorIsRefused() {
        Sandboxed.from(folder).run("run", "--").refused("COMMAND_INVALID: the command is empty");
        inProcess("run").refused("COMMAND_INVALID: the command is empty");
        inProcess("run", "--", "").refused("COMMAND_INVALID: the command is empty");
    }

    @ParameterizedTest
    @CsvSource({"absent,does not exist", "file,is not a directory", "loop,is not a directory"})
    void aWorkDirThatIsNoDirectoryIsRefused(String name, String reason) throws IOException {
        Files.createFile(folder.resolve("file"));
        Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
        Outcome outcome = options("--workdir", name);
        outcome.refused("POLICY_INVALID: work_dir: ");
        assertThat(outcome.err()).contains("\"" + name + "\" " + reason);
        packaged("--base", name).refused("POLICY_INVALID: base_dir: ");
    }

    @Test
    void aPolicyFileThatDoesNotExistIsRefused() {
        packaged("--policy", "absent").refused("POLICY_INVALID: --policy: \"absent\" does not exist");
    }

    @Test
    void standardInputFromWhatIsNoRegularFileIsRefusedAtOnce() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", folder.resolve("fifo").toString())
                        .start()
                        .waitFor())
                .isZero();
        for (String name : List.of("fifo", "w", "/dev/tty")) {
            packaged("--stdin", name).refused("USAGE: --stdin: \"" + name + "\" is not a regular file; name one");
        }
        packaged("--stdin", "absent").refused("USAGE: --stdin: \"absent\" does not exist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--policy", "--config"})
    void aPolicyFileThatIsADirectoryIsRefused(String option) {
        packaged(option, "w").refused("POLICY_INVALID: " + option + ": \"w\" is a directory");
    }

    @Test
    void aPolicyFileThatMayNotBeReadIsRefused() throws IOException {
        assumeFalse(isRoot(), "needs an ordinary user: root reads every file");
        Path policy = Files.writeString(folder.resolve("policy"), "home: private\n");
        Files.setPosixFilePermissions(policy, PosixFilePermissions.fromString("---------"));
        packaged("--policy", "policy")
                .refused("POLICY_INVALID: --policy: \"policy\" cannot be read: permission denied");
        packaged("--config", "policy").refused("SANDBOX_UNAVAILABLE: read policy policy: cannot be read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--policy", "--config"})
    void aPolicyFileOfAHundredMegabytesIsRefused(String option) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(folder.resolve("big").toFile(), "rw")) {
            file.setLength(HUNDRED_MEGABYTES);
        }
        packaged(option, "big").refused("POLICY_INVALID: " + option + ": \"big\" is larger than 1 MiB");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--policy", "--config"})
    void aPolicyFileThatIsNotUtf8IsRefused(String option) throws IOException {
        Files.write(folder.resolve("latin"), "read_paths: [\u00e9]\n".getBytes(StandardCharsets.ISO_8859_1));
        packaged(option, "latin").refused("POLICY_INVALID: " + option + ": \"latin\" is not UTF-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--policy", "--config"})
    void aPolicyFileThatCannotBeParsedNamesThePlace(String option) throws IOException {
        Files.writeString(folder.resolve("broken"), "read_paths: [w]\nwrite_paths: [\nhome");
        Outcome outcome = packaged(option, "broken");
        outcome.refused("POLICY_INVALID: " + option + ": \"broken\" cannot be parsed at line ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--policy", "--config"})
    void aPolicyFileThatIsAPipeIsRefusedAndNotWaitedFor(String option) throws Exception {
        Process made = new ProcessBuilder("mkfifo", folder.resolve("pipe").toString()).start();
        assertThat(made.waitFor()).isZero();
        packaged(option, "pipe").refused("POLICY_INVALID: " + option + ": \"pipe\" is not a regular file");
        packaged(option, "/dev/zero").refused("POLICY_INVALID: " + option + ": \"/dev/zero\" is not a regular file");
    }

    @Test
    void aPolicyAndAStagedPolicyExcludeEachOther() throws IOException {
        Path config = Files.writeString(folder.resolve("staged"), "home: private\n");
        Files.writeString(folder.resolve("policy"), "home: private\n");
        packaged("--policy", "policy", "--config", "staged").refused("USAGE: --config and --policy exclude each other");
        assertThat(config).exists();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--raed|w|unknown option: --raed; did you mean --read?",
                "--backend|chroot|--backend: \"chroot\" is not one of auto, landlock, mountns, docker",
                "--require|fs.magic|--require: \"fs.magic\" is no guarantee",
                "--home|other|Invalid value for option '--home': \"other\" is not one of private, inherit",
                "--tmp|other|Invalid value for option '--tmp'",
                "--proc|other|Invalid value for option '--proc'",
                "--env-mode|other|Invalid value for option '--env-mode'",
                "--trust-handoff|other|Invalid value for option '--trust-handoff': \"other\" is not one of default, none",
                "--user-namespaces|maybe|Invalid value for option '--user-namespaces'",
                "--cpu-time|0|--cpu-time: \"0\" is no time at all; leave it out",
                "--network|open|--network: \"open\" is not",
                "--network|tcp:|--network: ",
                "--network|tcp:0|--network: \"0\" is not a port",
                "--network|tcp:65536|--network: \"65536\" is not a port",
                "--network|tcp:443,|--network: ",
                "--network|domains:|--network: ",
                "--network|domains:*|--network: \"*\" is every name",
                "--env|=value|--env: \"\" is no variable's name; write NAME=VALUE or NAME",
                "--timeout|soon|--timeout: \"soon\" is not a duration",
                "--timeout|0|--timeout: \"0\" is no time at all",
                "--timeout|-1s|",
                "--timeout|1.5s|--timeout: \"1.5s\" is not a duration",
                "--timeout|99999999999999999999s|--timeout: \"99999999999999999999s\" is too large",
                "--max-output|10MB/s|--max-output: \"10MB/s\" is not a size",
                "--max-output|9999999999GiB|--max-output: \"9999999999GiB\" is too large",
                "--memory|lots|--memory: \"lots\" is not a size",
                "--max-file-size|1TB?|--max-file-size: \"1TB?\" is not a size",
                "--max-processes|0|--max-processes: 0 is not a whole number",
                "--max-processes|x|",
                "--max-open-files|1e3|"
            })
    void aWrongOptionIsAUsageError(String option, String value, String message) {
        options(option, value).refused("USAGE: " + (message == null ? "" : message));
    }

    @Test
    void theValueOfAVariableIsNotShownInAnError() {
        Outcome outcome = options("--env", "=s3cret");
        assertThat(outcome.err()).doesNotContain("s3cret");
    }

    @Test
    void anOptionWithoutItsValueIsAUsageError() {
        inProcess("run", "-c").refused("USAGE: ");
        inProcess("run", "--policy").refused("USAGE: ");
    }

    @Test
    void anUnknownCommandIsAUsageError() {
        inProcess("rnu", "-c", "true").refused("USAGE: ");
        inProcess().refused("USAGE: ");
        inProcess("policy").refused("USAGE: ");
        inProcess("explain").refused("USAGE: ");
        inProcess("explain", "--op", "steal", "w").refused("USAGE: ");
        inProcess("explain", "--base", folder.toString(), "a/../b").refused("USAGE: ");
    }

    @Test
    void aNameWithALineBreakStaysOnOneLine() throws IOException {
        runWith("{\"read_paths\": [\"../a\\nFORGED: line\\u001b[2J\"]}").refused("POLICY_INVALID: ");
        options("--read", "../a\nFORGED").refused("POLICY_INVALID: ");
        options("--no\nsuch", "x").refused("USAGE: ");
        packaged("--policy", "no\nsuch").refused("POLICY_INVALID: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--network|domains:pypi.org|net.domains",
                "--require|fs.metadata|fs.metadata",
                "--require|proc.private|proc.private",
                "--tmp|private|tmp.private",
                "--block|w/secret|fs.carve_out",
                "--block-write|w/readonly|fs.carve_out"
            })
    void whatLandlockCannotEnforceIsRefusedAndNamed(String option, String value, String guarantee) {
        Outcome outcome = options("--backend", "landlock", option, value);
        outcome.refused("SANDBOX_UNAVAILABLE: landlock: lacks ");
        assertThat(outcome.err()).contains(guarantee);
    }

    @Test
    void aPolicyFileThatNoBackendCanEnforceIsRefused() throws IOException {
        runWith("backend: landlock\nnetwork: {domains: [pypi.org]}\n").refused("SANDBOX_UNAVAILABLE: landlock: lacks ");
    }

    @Test
    void portsAreRefusedWhereNothingChecksThem() {
        Outcome outcome = options("--backend", "mountns", "--network", "tcp:443");
        outcome.refused("SANDBOX_UNAVAILABLE: mountns: lacks ");
        assertThat(outcome.err()).contains("net.tcp");
    }

    @Test
    void aSocketToAllowMustBeOneAndInAGrant() {
        options("--allow-socket", "w").refused("POLICY_INVALID: allow_sockets[0]: \"w\" is no socket");
    }

    @ParameterizedTest
    @ValueSource(strings = {"landlock", "mountns", "docker"})
    void anOrdinaryUserWhoAsksForAnotherIdentityIsRefused(String backend) throws IOException {
        assumeFalse(isRoot(), "needs an ordinary user");
        runWith("backend: " + backend + "\nrun_as: '65534'\n")
                .refused("POLICY_INVALID: run_as: \"65534:65534\" is somebody else; ");
    }

    @Test
    void aStatusFileThatCannotBeWrittenIsAUsageErrorBeforeAnythingRuns() {
        packaged("--status-file", "absent/status").refused("USAGE: --status-file: ");
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }
}
