package dev.sandbox.app.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.Receipt;
import dev.sandbox.domain.result.Termination;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The probes by themselves, without a sandbox. */
final class ProbesTest {
    /** These are no attack's aim: nothing keeps them on this kind of host, or the policy's own answer is the test. */
    private static final Set<Guarantee> UNATTACKED =
            EnumSet.of(Guarantee.TMP_PRIVATE, Guarantee.NET_DOMAINS, Guarantee.RUN_AS);

    private static final Scene SCENE = new Scene(
            "/t/outside",
            "/t/inside",
            "/t/readonly",
            "/t/readonly/probe",
            "word",
            4711,
            33,
            "name",
            8001,
            8002,
            "NAME");

    @Test
    void eachHasAnIdOfItsOwnAndThereAreMoreThanFifty() {
        List<String> ids = Probes.of(SCENE).stream().map(Probe::id).toList();

        assertThat(ids)
                .doesNotHaveDuplicates()
                .hasSizeGreaterThan(50)
                .allMatch(id -> id.matches("[a-z]+\\.[a-z_0-9]+"));
    }

    @Test
    void eachGuaranteeIsAttacked() {
        Set<Guarantee> attacked = Probes.of(SCENE).stream()
                .flatMap(probe -> probe.claim().guarantees().stream())
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(attacked).containsAll(EnumSet.complementOf(EnumSet.copyOf(UNATTACKED)));
    }

    @Test
    void nothingIsOpenEverywhereButWhatIsSaidToBe() {
        List<String> open = Probes.of(SCENE).stream()
                .filter(probe ->
                        probe.openings().size() == BackendName.standard().size())
                .map(Probe::id)
                .toList();

        assertThat(open).containsExactly("fs.loader_unexecutable");
    }

    @Test
    void aScriptThatSaysNothingDefiniteWasNotTried() throws Exception {
        try (Victims victims = Victims.make("NAME", "word")) {
            Evidence evidence = Evidence.lastWord();

            assertThat(evidence.of(said(0, "x\nESCAPED\n"), victims).kind()).isEqualTo(Finding.Kind.ESCAPED);
            assertThat(evidence.of(said(0, "DENIED\n"), victims).kind()).isEqualTo(Finding.Kind.DENIED);
            assertThat(evidence.of(said(2, ""), victims).kind()).isEqualTo(Finding.Kind.UNTRIED);
            assertThat(evidence.of(said(0, "UNTRIED no loader\n"), victims)).isEqualTo(Finding.untried("no loader"));
        }
    }

    @Test
    void anErrnoThatComesFromBehindTheGateIsAnEscape() throws Exception {
        try (Victims victims = Victims.make("NAME", "word")) {
            Evidence evidence = Evidence.unlessDenied(14);

            assertThat(evidence.of(said(0, ""), victims).kind()).isEqualTo(Finding.Kind.ESCAPED);
            assertThat(evidence.of(said(14, ""), victims).kind()).isEqualTo(Finding.Kind.ESCAPED);
            assertThat(evidence.of(said(1, ""), victims).kind()).isEqualTo(Finding.Kind.DENIED);
            assertThat(evidence.of(said(95, ""), victims).kind()).isEqualTo(Finding.Kind.UNTRIED);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {126, 127, 125, 124, 22, 12, 5, 255})
    void whatNoRefusalGivesWasNotTried(int code) throws Exception {
        try (Victims victims = Victims.make("NAME", "word")) {
            assertThat(Evidence.unlessDenied().of(said(code, ""), victims).kind())
                    .isEqualTo(Finding.Kind.UNTRIED);
            assertThat(Evidence.prints("word").of(said(code, ""), victims).kind())
                    .isEqualTo(Finding.Kind.UNTRIED);
            assertThat(Evidence.prints("word").of(said(0, ""), victims).kind()).isEqualTo(Finding.Kind.UNTRIED);
            assertThat(Evidence.prints("word").of(said(9, ""), victims).kind()).isEqualTo(Finding.Kind.DENIED);
        }
    }

    /** As in an image that has a shell alone. */
    @Test
    void aScriptWhoseProgramsAreNotThereWasNotTried() throws Exception {
        int tried = 0;
        try (Victims victims = Victims.make("NAME", "word")) {
            for (Probe probe : Probes.of(victims.scene())) {
                List<String> argv = probe.command().argv();
                if (argv.get(0).equals("/bin/sh") && argv.get(2).contains("\nneeds ")) {
                    ProcessBuilder shell = new ProcessBuilder(argv);
                    shell.environment().put("PATH", "/nowhere");
                    Process process = shell.redirectErrorStream(true).start();
                    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                    assertThat(said).as(probe.id()).startsWith("UNTRIED there is no ");
                    tried++;
                }
            }
        }
        assertThat(tried).isGreaterThan(30);
    }

    @Test
    void everyChangeOfAVictimIsSeenAndPutBack() throws Exception {
        try (Victims victims = Victims.make("NAME", "word")) {
            Path secret = Path.of(victims.scene().outside(), "secret");
            assertThat(victims.changes()).isEmpty();

            Files.writeString(secret, "attack");
            assertThat(victims.changes()).containsExactly(secret);
            Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
            assertThat(victims.changes()).containsExactly(secret);
            Files.setLastModifiedTime(secret, FileTime.fromMillis(0));
            assertThat(victims.changes()).containsExactly(secret);
            Path made = Files.createFile(secret.resolveSibling("new"));
            assertThat(victims.changes()).contains(made);
            Files.delete(secret);
            assertThat(victims.changes()).contains(secret);

            assertThat(victims.changes()).isEmpty();
            assertThat(secret).hasContent("word\n");
            assertThat(made).doesNotExist();
        }
    }

    @Test
    void nothingStaysOfTheVictims() throws Exception {
        Path outside;
        try (Victims victims = Victims.make("NAME", "word")) {
            outside = Path.of(victims.scene().outside());
            assertThat(outside).exists();
        }
        assertThat(outside.getParent()).doesNotExist();
    }

    private static ExecutionResult said(int code, String out) {
        return ExecutionResult.builder()
                .exitCode(code)
                .termination(Termination.EXITED)
                .stdout(out)
                .executionTime(Duration.ZERO)
                .backend(BackendName.LANDLOCK)
                .command("probe")
                .receipt(new Receipt(() -> "", "", Limits.builder().build(), Duration.ZERO))
                .build();
    }
}
