package dev.sandbox.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PolicyFileTest {
    private static final AbsolutePath BASE = AbsolutePath.of("/base");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "read_paths: [a, b]\nhome: inherit\n",
                "{\"read_paths\": [\"a\", \"b\"], \"home\": \"inherit\"}",
                "  \n {\"read_paths\": [\"a\", \"b\"],\n\"home\": \"inherit\"}\n",
                "# a comment\nread_paths:\n- a\n- b\nhome: \"inherit\"\n"
            })
    void yamlAndJsonAreToldApartByTheirContent(String text) throws IOException {
        SandboxPolicy policy = read(text);
        assertThat(policy.readPaths()).containsExactly("a", "b");
        assertThat(policy.home().id()).isEqualTo("inherit");
        assertThat(policy.baseDir()).isEqualTo(BASE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "# nothing\n", "null\n", "{}"})
    void anEmptyFileIsThePolicyThatGrantsNothing(String text) throws IOException {
        assertThat(SandboxPolicy.builder()
                        .from(read(text))
                        .policyFile(Optional.empty())
                        .build())
                .isEqualTo(SandboxPolicy.builder().baseDir(BASE).build());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "memory: 1GiB | memory: is not a key of a policy; did you mean limits.memory?",
                "domains: [a] | domains: is not a key of a policy; did you mean network.domains?",
                "limits: {home: private} | limits.home: is not a key of a policy; did you mean home?",
                "limits: {time: 1s} | limits.time: is not a key of a policy; did you mean limits.timeout?",
                "limits: {frobnicate: 1} | limits.frobnicate: is not a key of a policy; known are timeout, output, memory,"
                        + " processes, file_size, open_files, cpu_time",
            })
    void anUnknownKeyIsAnsweredByTheOneThatWasMeantOrByAll(String text, String said) {
        assertThatExceptionOfType(PolicyInvalidException.class)
                .isThrownBy(() -> read(text))
                .withMessageContaining(said);
    }

    @Test
    void aTabIsNamedWhereItStands() {
        assertThatExceptionOfType(PolicyInvalidException.class)
                .isThrownBy(() -> read("home: private\n\ttmp: private\n"))
                .withMessageContaining("cannot be parsed at line 2, column 1: found character '\\t(TAB)'");
    }

    @Test
    void aPolicyKnowsTheFileBehindTheLinkThatItWasReadFrom() throws IOException {
        Path file =
                Files.writeString(folder.resolve("policy"), "home: private\n").toRealPath();
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        assertThat(PolicyFile.read(link, BASE).policyFile()).contains(AbsolutePath.of(file.toString()));
    }

    @Test
    void aStagedPolicyIsUnlinkedUnlessItIsToBeKept() throws IOException {
        Path file = Files.writeString(folder.resolve("staged"), "read_paths: [a]\n");
        assertThat(PolicyFile.consume(file, BASE, PolicyFile.Consumption.KEEP).readPaths())
                .containsExactly("a");
        assertThat(file).exists();
        assertThat(PolicyFile.consume(file, BASE, PolicyFile.Consumption.UNLINK).readPaths())
                .containsExactly("a");
        assertThat(file).doesNotExist();
        assertThatExceptionOfType(SandboxUnavailableException.class)
                .isThrownBy(() -> PolicyFile.consume(file, BASE, PolicyFile.Consumption.UNLINK))
                .withMessage("SANDBOX_UNAVAILABLE: read policy " + file
                        + ": no such file (a --config policy is consumed by the run that reads it)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "? [a]\n: b\n",
                "!!java.io.File [x]\n",
                "a: !!binary x\n",
                "*x\n",
                "&a [*a]\n",
                "%YAML 3\n",
                "\u0001"
            })
    void oddYamlIsRefusedAndNothingElse(String text) {
        assertThatExceptionOfType(PolicyInvalidException.class).isThrownBy(() -> read(text));
    }

    private SandboxPolicy read(String text) throws IOException {
        return PolicyFile.read(Files.writeString(folder.resolve("policy"), text), BASE);
    }
}
