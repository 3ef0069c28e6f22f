package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sandbox.app.Sandboxed.Outcome;
import dev.sandbox.domain.isolation.BackendName;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the packaged command promises to people and to scripts. The {@code --help} texts are golden files;
 * {@code mvn verify -Dit.test=CommandLineIT -Dgolden.update=true} writes them anew.
 */
@Tag("any-user")
final class CommandLineIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path GOLDEN = Sandboxed.MODULE.resolve("src/test/resources/help");

    @TempDir
    private Path folder;

    private Path granted;

    @BeforeEach
    void makeAGrant() throws IOException {
        granted = Files.createDirectory(folder.resolve("w"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 77, 124, 125, 126, 127, 255})
    void theCommandsOwnExitCodeIsPassedOn(int code) {
        Outcome outcome = run("run", "-c", "exit " + code).ended(code);
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.bytes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 6, 9, 15})
    void aCommandKilledByASignalGives128AndItsNumber(int signal) {
        assertThat(run("run", "-c", "ulimit -c 0; kill -" + signal + " $$")
                        .ended(128 + signal)
                        .err())
                .isEmpty();
    }

    @Test
    void aTimeoutIs124AndOneLine() {
        Outcome outcome = run("run", "--timeout", "1s", "-c", "echo begun; exec sleep 1000")
                .ended(124);
        assertThat(outcome.out()).isEqualTo("begun\n");
        assertThat(outcome.err()).isEqualTo("TIMEOUT: Command killed after 1 seconds\n");
    }

    @Test
    void aProgramThatIsNotThereIs127() {
        assertThat(run("run", "--", "no-such-program").ended(127).err())
                .startsWith("COMMAND_NOT_FOUND: ")
                .contains("no-such-program")
                .containsOnlyOnce("\n");
        assertThat(run("run", "--", "/no/such/program").ended(127).err()).startsWith("COMMAND_NOT_FOUND: /no/such");
    }

    @Test
    void aProgramThatCannotBeExecutedIs126() throws IOException {
        Path text = Files.writeString(granted.resolve("text"), "no program\n");
        Outcome outcome = run("run", "--read", "w", "--", text.toString()).ended(126);
        assertThat(outcome.err()).startsWith("COMMAND_NOT_EXECUTABLE: " + text).containsOnlyOnce("\n");
    }

    @Test
    void aProgramOutsideEveryGrantIs126() throws IOException {
        Path script = Files.writeString(folder.resolve("script"), "#!/bin/sh\necho ran\n");
        assertThat(script.toFile().setExecutable(true, false)).isTrue();
        Outcome outcome =
                run("run", "--backend", "landlock", "--", script.toString()).ended(126);
        assertThat(outcome.out()).isEmpty();
    }

    @Test
    void aShellTextIsInterpretedAndAnArgumentVectorIsNot() {
        assertThat(run("run", "-c", "echo $((1+1)) *").ended(0).out()).isEqualTo("2 *\n");
        assertThat(run("run", "--", "/bin/echo", "$((1+1))", "*", "a  b", "", "-c")
                        .ended(0)
                        .out())
                .isEqualTo("$((1+1)) * a  b  -c\n");
    }

    @Test
    void whatFollowsTheDashesIsTheCommandsAlone() {
        assertThat(run("run", "--", "/bin/echo", "--json", "--", "--help", "-c")
                        .ended(0)
                        .out())
                .isEqualTo("--json -- --help -c\n");
    }

    @Test
    void noArgumentIsReadAsAFileOfArguments() throws IOException {
        Files.writeString(folder.resolve("more"), "--help");
        assertThat(run("run", "--", "/bin/echo", "@more", "@@more").ended(0).out())
                .isEqualTo("@more @@more\n");
        assertThat(run("run", "/bin/echo", "@more").ended(0).out()).isEqualTo("@more\n");
        assertThat(run("run", "-c", "@more").ended(127).err()).contains("@more: not found");
        run("run", "@more", "--", "/bin/true").ended(127);
        run("@more").refused("USAGE: ");
        assertThat(run("run", "--read", "@more", "-c", "true").ended(0).err())
                .contains("SANDBOX_GRANT_SKIPPED: @more: ");
        assertThat(run("explain", "@more").ended(1).out()).startsWith("denied read " + folder + "/@more");
        assertThat(run("serve", "--base-dir", "@more", "--print-config")
                        .ended(0)
                        .out())
                .contains("@more");
    }

    @Test
    void argumentsAreUnicode() {
        assertThat(run("run", "--", "/bin/echo", "größe 漢字 🧪").ended(0).out()).isEqualTo("größe 漢字 🧪\n");
        assertThat(Sandboxed.from(folder)
                        .with("LANG", "C")
                        .run("run", "-c", "echo 'größe 漢字 🧪'")
                        .ended(0)
                        .out())
                .isEqualTo("größe 漢字 🧪\n");
    }

    @Test
    void everyByteGoesThroughUntouched() {
        byte[] all = new byte[256 * 1024];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) (i * 31 + i / 256);
        }
        Outcome outcome =
                Sandboxed.from(folder).input(all).run("run", "--", "/bin/cat").ended(0);
        assertThat(Arrays.equals(outcome.bytes(), all)).as("the same bytes").isTrue();
        assertThat(outcome.err()).isEmpty();
    }

    @Test
    void standardErrorStaysTheStepsOwn() {
        Outcome outcome =
                run("run", "--write", "w", "-c", "echo one; echo two >&2").ended(0);
        assertThat(outcome.out()).isEqualTo("one\n");
        assertThat(outcome.err()).isEqualTo("two\n");
    }

    @Test
    void aDenialIsExplainedOnlyWhenTheCommandFailed() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "secret");
        Outcome failed =
                run("run", "--backend", "landlock", "-c", "cat " + secret).ended(1);
        assertThat(failed.out()).isEmpty();
        assertThat(failed.err())
                .contains("SANDBOX_DENIED: read " + secret + ": no grant covers it; to allow it: --read " + secret
                        + "\n");
        Path policy = Files.writeString(folder.resolve("policy.yaml"), "backend: landlock\n");
        assertThat(run("run", "--policy", policy.toString(), "-c", "cat " + secret)
                        .ended(1)
                        .err())
                .contains("to allow it: read_paths: [" + secret + "]\n");
        assertThat(run("run", "-c", "cat " + secret + "; true").ended(0).err()).doesNotContain("SANDBOX_");
        assertThat(run("run", "--quiet", "-c", "cat " + secret).ended(1).err()).doesNotContain("SANDBOX_");
    }

    @Test
    void theResultObjectHasTheShapeOfTheContract() throws IOException {
        Outcome outcome = run("run", "--json", "--write", "w", "-c", "echo out; printf 'e\\377r' >&2; exit 3")
                .ended(3);
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).endsWith("}\n").containsOnlyOnce("\n");
        JsonNode result = JSON.readTree(outcome.bytes());
        assertThat(names(result))
                .containsExactly(
                        "exit_code",
                        "signal",
                        "termination",
                        "stdout",
                        "stderr",
                        "stdout_truncated",
                        "stderr_truncated",
                        "execution_time_ms",
                        "backend",
                        "guarantees",
                        "command",
                        "denials",
                        "notes",
                        "receipt");
        assertThat(result.path("exit_code").intValue()).isEqualTo(3);
        assertThat(result.path("signal").isNull()).isTrue();
        assertThat(result.path("termination").textValue()).isEqualTo("exited");
        assertThat(result.path("stdout").textValue()).isEqualTo("out\n");
        assertThat(result.path("stderr").textValue()).isEqualTo("e\uFFFDr");
        assertThat(result.path("stdout_truncated").isBoolean()).isTrue();
        assertThat(result.path("execution_time_ms").isIntegralNumber()).isTrue();
        assertThat(result.path("backend").isTextual()).isTrue();
        assertThat(result.path("guarantees").toString()).contains("\"fs.read\",\"fs.write\"");
        assertThat(result.path("command").textValue()).isEqualTo("echo out; printf 'e\\377r' >&2; exit 3");
        assertThat(names(result.path("receipt")))
                .containsExactly("policy_digest", "backend_detail", "preparation_ms", "limits");
    }

    @Test
    void theResultObjectNamesDenialsAndNotes() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "secret");
        JsonNode result =
                JSON.readTree(run("run", "--backend", "landlock", "--json", "--read", "absent", "-c", "cat " + secret)
                        .ended(1)
                        .bytes());
        JsonNode denial = result.path("denials").path(0);
        assertThat(names(denial)).containsExactly("path", "operation", "source", "rule", "fix");
        assertThat(denial.path("path").textValue()).isEqualTo(secret.toString());
        assertThat(denial.path("operation").textValue()).isEqualTo("read");
        assertThat(denial.path("source").textValue()).isIn("kernel", "inferred");
        assertThat(denial.path("fix").textValue()).isEqualTo("read_paths: [" + secret + "]");
        assertThat(result.path("notes").toString()).contains("absent");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kill -9 $$|137|signaled|9",
                "exit 137|137|exited|null",
                "exec sleep 1000|124|timed_out|15",
                "exit 124|124|exited|null",
                "exec no-such-program|127|exited|null"
            })
    void theResultObjectTellsApartWhatExitCodesCannot(String text, int code, String termination, String signal)
            throws IOException {
        JsonNode result = JSON.readTree(
                run("run", "--json", "--timeout", "2s", "-c", text).ended(code).bytes());
        assertThat(result.path("exit_code").intValue()).isEqualTo(code);
        assertThat(result.path("termination").textValue()).isEqualTo(termination);
        assertThat(result.path("signal").toString()).isEqualTo(signal);
    }

    @Test
    void moreOutputThanAllowedIsCutAndSaidSo() throws IOException {
        JsonNode result = JSON.readTree(run("run", "--json", "--max-output", "1KiB", "-c", "head -c 50000 /dev/zero")
                .ended(0)
                .bytes());
        assertThat(result.path("stdout_truncated").booleanValue()).isTrue();
        assertThat(result.path("stderr_truncated").booleanValue()).isFalse();
    }

    @Test
    void outputThatIsPassedOnIsNeverCut() {
        Outcome passed = run(
                        "run",
                        "--max-output",
                        "1KiB",
                        "-c",
                        "head -c 50000000 /dev/zero; head -c 3000000 /dev/zero >&2")
                .ended(0);
        assertThat(passed.bytes()).hasSize(50_000_000);
        assertThat(passed.err()).hasSize(3_000_000);
    }

    @Test
    void aReaderThatDoesNotReadHoldsBackTheStepAndNotTheClock() throws IOException, InterruptedException {
        Path mark = granted.resolve("mark");
        ProcessBuilder builder = new ProcessBuilder(
                Sandboxed.PROGRAM.toString(),
                "run",
                "--write",
                "w",
                "--workdir",
                "w",
                "--timeout",
                "2s",
                "-c",
                "head -c 50000000 /dev/zero; echo whole > mark");
        builder.directory(folder.toFile()).environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        // Its words come on standard error once the step was ended, though nobody has read its output.
        assertThat(process.errorReader().readLine()).isEqualTo("TIMEOUT: Command killed after 2 seconds");
        assertThat(mark).doesNotExist();
        long passed = process.getInputStream().transferTo(OutputStream.nullOutputStream());
        assertThat(passed).isBetween(1L, 8_000_000L);
        assertThat(process.waitFor()).isEqualTo(124);
    }

    @Test
    void theStatusFileHoldsTheResultWithoutTheStreams() throws IOException {
        Path status = folder.resolve("status");
        Outcome outcome = run("run", "--status-file", "status", "-c", "echo out; exit 125")
                .ended(125);
        assertThat(outcome.out()).isEqualTo("out\n");
        JsonNode result = JSON.readTree(status.toFile());
        assertThat(result.path("exit_code").intValue()).isEqualTo(125);
        assertThat(result.path("termination").textValue()).isEqualTo("exited");
        assertThat(names(result)).doesNotContain("stdout", "stderr").contains("stdout_truncated", "denials");
    }

    @Test
    void aStepCannotMakeTheStatusFileBeWrittenElsewhere() throws IOException {
        Path precious = Files.writeString(folder.resolve("precious"), "precious\n");
        run("run", "--write", "w", "--status-file", "w/status", "-c", "rm w/status; ln -s ../precious w/status")
                .ended(0);
        assertThat(precious).hasContent("precious\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POLICY_INVALID|--read|../..|-c|true",
                "SANDBOX_UNAVAILABLE|--network|domains:pypi.org|-c|true",
                "COMMAND_INVALID|--read|w|-c|' '",
                "USAGE|--env|=x|-c|true",
                "USAGE|--no-such-option|x|-c|true",
                "USAGE|--backend|none|-c|true"
            })
    void theStatusFileOfASandboxErrorHasNoExitCode(String code, String a, String b, String c, String d)
            throws IOException {
        Path status = Files.writeString(folder.resolve("status"), "{\"exit_code\":0}\n");
        run("run", "--status-file", "status", a, b, c, d).refused(code + ": ");
        JsonNode error = JSON.readTree(status.toFile());
        assertThat(names(error)).containsExactly("termination", "error");
        assertThat(error.path("termination").textValue()).isEqualTo("not_started");
        assertThat(error.at("/error/code").textValue()).isEqualTo(code);
        assertThat(error.at("/error/message").textValue()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POLICY_INVALID|--read|../..|-c|true",
                "COMMAND_INVALID|--home|private|-c|''",
                "USAGE|--no-such-option|x|-c|true",
                "USAGE|--env|=x|-c|true",
                "SANDBOX_UNAVAILABLE|--require|net.domains|-c|true",
            })
    void anErrorOfTheSandboxIsOneObjectToo(String code, String a, String b, String c, String d) throws IOException {
        Outcome outcome = run("run", "--json", a, b, c, d).ended(125);
        assertThat(outcome.err()).startsWith(code + ": ").containsOnlyOnce("\n");
        JsonNode error = JSON.readTree(outcome.bytes());
        assertThat(outcome.out()).containsOnlyOnce("\n");
        assertThat(names(error)).containsExactly("termination", "error");
        assertThat(error.at("/error/code").textValue()).isEqualTo(code);
        assertThat(error.at("/error/message").textValue()).isNotEmpty().doesNotStartWith(code);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"no-such-program|127|COMMAND_NOT_FOUND", "/etc/passwd|126|COMMAND_NOT_EXECUTABLE"})
    void aCommandThatDidNotStartSaysSo(String program, int code, String error) throws IOException {
        JsonNode result =
                JSON.readTree(run("run", "--json", "--", program).ended(code).bytes());
        assertThat(result.path("exit_code").intValue()).isEqualTo(code);
        assertThat(result.path("termination").textValue()).isEqualTo("not_started");
        assertThat(result.at("/error/code").textValue()).isEqualTo(error);
        assertThat(result.at("/error/message").textValue()).contains(program);
        JsonNode own = JSON.readTree(
                run("run", "--json", "-c", "exit " + code).ended(code).bytes());
        assertThat(own.path("termination").textValue()).isEqualTo("exited");
        assertThat(own.has("error")).isFalse();
    }

    @Test
    void aStagedPolicyIsConsumedByTheRunThatReadsIt() throws IOException {
        Path config = Files.writeString(folder.resolve("staged.yaml"), "write_paths: [w]\nwork_dir: w\n");
        run("run", "--config", config.toString(), "-c", "echo done > f").ended(0);
        assertThat(granted.resolve("f")).hasContent("done\n");
        assertThat(config).doesNotExist();

        Outcome second = run("run", "--config", config.toString(), "-c", "echo again > f");
        second.refused("SANDBOX_UNAVAILABLE: ");
        assertThat(second.err())
                .isEqualTo("SANDBOX_UNAVAILABLE: read policy " + config
                        + ": no such file (a --config policy is consumed by the run that reads it)\n");
        assertThat(granted.resolve("f")).hasContent("done\n");
    }

    @Test
    void aStagedPolicyIsGoneBeforeTheCommandRuns() throws IOException {
        Path config = Files.writeString(granted.resolve("staged.json"), "{\"read_paths\": [\"w\"]}");
        assertThat(run("run", "--config", config.toString(), "--", "/bin/ls", granted.toString())
                        .ended(0)
                        .out())
                .isEmpty();
    }

    @Test
    void aStagedPolicyIsConsumedEvenWhenItIsInvalid() throws IOException {
        Path config = Files.writeString(folder.resolve("staged.yaml"), "read_path: [w]\n");
        run("run", "--config", config.toString(), "-c", "true").refused("POLICY_INVALID: read_path: ");
        assertThat(config).doesNotExist();
    }

    @Test
    void aStagedPolicyCanBeKept() throws IOException {
        Path config = Files.writeString(folder.resolve("staged.yaml"), "read_paths: [w]\n");
        for (int i = 0; i < 2; i++) {
            run("run", "--config", config.toString(), "--keep-config", "-c", "true")
                    .ended(0);
        }
        assertThat(config).exists();
    }

    @Test
    void optionsAddToThePolicyFileAndTakeNoBlockAway() throws IOException {
        Files.createDirectories(folder.resolve("other"));
        Files.createDirectories(folder.resolve("secret"));
        Files.writeString(folder.resolve("policy.yaml"), "write_paths: [w]\nblocked_paths: [secret]\n");
        run("run", "--policy", "policy.yaml", "--write", "other", "-c", "echo 1 > w/f; echo 2 > other/f")
                .ended(0);
        assertThat(granted.resolve("f")).hasContent("1\n");
        assertThat(folder.resolve("other/f")).hasContent("2\n");
        run("run", "--policy", "policy.yaml", "--read", "secret", "-c", "true")
                .refused("POLICY_INVALID: read_paths[0]");
    }

    @Test
    void aSkippedGrantIsOneLineOnStandardError() {
        Outcome outcome = run("run", "--read", "absent", "-c", "echo ran").ended(0);
        assertThat(outcome.out()).isEqualTo("ran\n");
        assertThat(outcome.err()).isEqualTo("SANDBOX_GRANT_SKIPPED: absent: it does not exist\n");
        assertThat(run("run", "--quiet", "--read", "absent", "-c", "echo ran")
                        .ended(0)
                        .err())
                .isEmpty();
    }

    @Test
    void variablesAreSetAndPassedByName() {
        Outcome outcome = Sandboxed.from(folder)
                .with("MY_TOKEN", "t0ken")
                .with("OTHER_TOKEN", "hidden")
                .run("run", "--env", "A=1=2", "--env", "EMPTY=", "--pass-env", "MY_TOKEN", "--", "/usr/bin/env")
                .ended(0);
        assertThat(outcome.out().lines())
                .contains("A=1=2", "EMPTY=", "MY_TOKEN=t0ken")
                .noneMatch(line -> line.startsWith("OTHER_TOKEN"))
                .noneMatch(line -> line.startsWith("JAVA_TOOL_OPTIONS"));
    }

    @Test
    void theStepSeesTheCallersLocaleAndNotTheLaunchers() {
        String own = Sandboxed.from(folder)
                .with("LANG", "de_DE.UTF-8")
                .run("run", "-c", "echo \"$LANG,${LC_ALL-unset}\"")
                .ended(0)
                .out();
        assertThat(own).isEqualTo("de_DE.UTF-8,unset\n");
        String posix = Sandboxed.from(folder)
                .with("LC_ALL", "POSIX")
                .run("run", "-c", "echo \"$LC_ALL\"")
                .ended(0)
                .out();
        assertThat(posix).isEqualTo("POSIX\n");
    }

    @Test
    void theJvmTakesNoOptionsFromTheEnvironmentAndSaysNothing() {
        Outcome outcome = Sandboxed.from(folder)
                .with("JAVA_TOOL_OPTIONS", "-Dx=y")
                .with("_JAVA_OPTIONS", "-Dx=y")
                .run("run", "-c", "true")
                .ended(0);
        assertThat(outcome.bytes()).isEmpty();
        assertThat(outcome.err()).isEmpty();
    }

    @Test
    void aPlanIsPrintedAndNothingIsMadeOrRun() {
        Outcome outcome = run(
                        "plan", "--backend", "landlock", "--write", "new", "--read", "w", "--", "/bin/touch", "w/ran")
                .ended(0);
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).startsWith("landlock ruleset, ABI ");
        assertThat(outcome.out().lines())
                .anyMatch(line -> line.startsWith("allow " + granted + " (directory): execute read_file read_dir"));
        assertThat(folder).isDirectoryNotContaining("glob:**/new");
        assertThat(granted).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"landlock", "mountns"})
    void aPlansCallsArePrintedDownToTheProgramAndNoneIsMade(String backend) {
        Steps.assumeUsable(BackendName.of(backend));
        Outcome outcome = run("plan", "--backend", backend, "--write", "w", "--calls", "--", "/bin/touch", "w/ran")
                .ended(0);
        assertThat(outcome.err()).isEmpty();
        List<String> lines = outcome.out().lines().toList();
        assertThat(lines).anyMatch(line -> line.contains("landlock_restrict_self"));
        assertThat(lines).anyMatch(line -> line.contains("execve") && line.contains("/bin/touch"));
        assertThat(lines.stream().anyMatch(line -> line.contains("move_mount"))).isEqualTo(backend.equals("mountns"));
        assertThat(granted).isEmptyDirectory();
    }

    @Test
    void aPlanIsJsonOnRequestAndTheSameEveryTime() throws IOException {
        Outcome outcome =
                run("plan", "--backend", "landlock", "--json", "--write", "w").ended(0);
        JsonNode plan = JSON.readTree(outcome.bytes());
        assertThat(plan.path("backend").textValue()).isEqualTo("landlock");
        assertThat(plan.path("rules").isArray()).isTrue();
        assertThat(plan.path("rules").findValuesAsText("path")).contains(granted.toString());
        assertThat(run("plan", "--backend", "landlock", "--json", "--write", "./w/")
                        .ended(0)
                        .out())
                .isEqualTo(outcome.out());
    }

    @Test
    void aVerdictNamesItsRuleOrTheGrantThatWouldHelp() throws IOException {
        Outcome outcome = run("explain", "--write", "w", "--op", "write", "w/f", "elsewhere")
                .ended(1);
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .startsWith(
                        "allowed write %s/w/f: granted by write_paths[0] \"w\"\ndenied write %s/elsewhere: no grant covers it\n  to allow it: --write %s\n"
                                .formatted(folder, folder, folder));
        JsonNode verdicts = JSON.readTree(
                run("explain", "--json", "--read", "w", "w").ended(0).bytes());
        assertThat(names(verdicts.path(0)))
                .containsExactly(
                        "path",
                        "operation",
                        "allowed",
                        "resolved",
                        "kind",
                        "links",
                        "rule",
                        "reason",
                        "fix",
                        "backend",
                        "weaker",
                        "refused");
        assertThat(verdicts.path(0).path("allowed").booleanValue()).isTrue();
    }

    @Test
    void theDoctorSaysWhatThisHostCanEnforce() throws IOException {
        Outcome outcome = run("doctor").ended(0);
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .contains("landlock: ", "preflight passed", "This host can enforce the default policy.");
        JsonNode report = JSON.readTree(run("doctor", "--json").ended(0).bytes());
        assertThat(report.path("usable").booleanValue()).isTrue();
        assertThat(report.path("backends").findValuesAsText("name")).containsExactly("mountns", "landlock", "docker");
        assertThat(report.path("backends")
                        .path(1)
                        .path("guarantees")
                        .path("fs.read")
                        .path("held")
                        .booleanValue())
                .isTrue();
    }

    @Test
    void aPolicyIsCheckedWithoutBeingRun() throws IOException {
        Files.writeString(folder.resolve("policy.yaml"), "read_paths: [w, absent]\n");
        Outcome valid = run("policy", "check", "policy.yaml").ended(0);
        assertThat(valid.out()).contains("note: ", "absent").contains("valid: policy.yaml, enforced by ");
        Files.createDirectories(folder.resolve("below/w"));
        assertThat(run("policy", "check", "--base", "below", "policy.yaml")
                        .ended(0)
                        .out())
                .contains("valid: ");
        assertThat(run("policy", "check", "--base", "nowhere", "policy.yaml")
                        .ended(125)
                        .err())
                .as("each on a line of its own")
                .startsWith("POLICY_INVALID: base_dir: ")
                .contains("\nPOLICY_INVALID: work_dir: ");
        Files.writeString(folder.resolve("policy.yaml"), "read_paths: [../..]\n");
        run("policy", "check", "policy.yaml").refused("POLICY_INVALID: policy.yaml:1:14: read_paths[0]: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "run",
                "explain",
                "plan",
                "doctor",
                "ps",
                "clean",
                "selftest",
                "policy",
                "policy check",
                "docker",
                "docker prune",
                "serve",
                "mcp",
                "completion",
                "man"
            })
    void helpIsPrintedForEveryCommand(String command) throws IOException {
        List<String> arguments = new ArrayList<>(command.isEmpty() ? List.of() : List.of(command.split(" ")));
        arguments.add("--help");
        Outcome outcome = Sandboxed.from(folder).run(arguments).ended(0);
        assertThat(outcome.err()).isEmpty();
        Path golden = GOLDEN.resolve(("sandbox " + command).trim().replace(' ', '-') + ".txt");
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(GOLDEN);
            Files.write(golden, outcome.bytes());
        }
        assertThat(outcome.out()).isEqualTo(Files.readString(golden));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "run ",
                "explain ",
                "plan ",
                "doctor ",
                "ps ",
                "selftest ",
                "policy ",
                "policy check ",
                "policy schema ",
                "serve ",
                "mcp "
            })
    void theVersionIsOneLine(String command) {
        assertThat(run((command + "--version").split(" ")).ended(0).out())
                .startsWith("sandbox ")
                .containsOnlyOnce("\n");
    }

    @Test
    void theLauncherWorksThroughALinkFromAnywhere() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Sandboxed.PROGRAM);
        ProcessBuilder builder = new ProcessBuilder(link.toString(), "run", "-c", "exit 7");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        byte[] said = process.getErrorStream().readAllBytes();
        assertThat(process.onExit().join().exitValue())
                .as(new String(said, StandardCharsets.UTF_8))
                .isEqualTo(7);
    }

    private Outcome run(String... arguments) {
        return Sandboxed.from(folder).run(arguments);
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
