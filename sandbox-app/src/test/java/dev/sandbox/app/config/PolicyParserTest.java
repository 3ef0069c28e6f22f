package dev.sandbox.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.RunAs;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.Problem;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PolicyParserTest {
    private static final AbsolutePath BASE = AbsolutePath.of("/base");

    @Test
    void anEmptyDocumentGrantsNothing() throws JsonProcessingException {
        assertThat(parse("{}")).isEqualTo(SandboxPolicy.builder().baseDir(BASE).build());
        assertThat(parse("{}").writePaths()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("keys")
    void everyKeyMayBeEmpty(String key) throws JsonProcessingException {
        assertThat(parse(key + ": null")).isEqualTo(parse("{}"));
        assertThat(parse(key + ":")).isEqualTo(parse("{}"));
    }

    static List<String> keys() {
        return PolicyKey.keys(PolicyKey.TOP);
    }

    @Test
    void theDocumentOfTheManualIsRead() throws JsonProcessingException {
        SandboxPolicy policy = parse("""
                base_dir: /srv/work
                work_dir: .
                write_paths: [out]
                cache_dir: out/cache
                tmp: private
                network: {tcp_connect: [443], tcp_bind: []}
                environment: {set: {K: V, N: 3, B: true}, pass: [NAME], block: ['PREFIX*']}
                limits: {timeout: 60s, output: 10MiB, processes: 64}
                run_as: 1000:100
                backend: auto
                """);
        assertThat(policy.baseDir()).isEqualTo(AbsolutePath.of("/srv/work"));
        assertThat(policy.tmp()).isEqualTo(TmpMode.PRIVATE);
        assertThat(policy.network().mode()).isEqualTo(NetworkPolicy.Mode.TCP);
        assertThat(policy.network().tcpConnect()).containsExactly(443);
        assertThat(policy.environment().set())
                .containsEntry("K", "V")
                .containsEntry("N", "3")
                .containsEntry("B", "true");
        assertThat(policy.limits().timeout()).contains(Duration.ofSeconds(60));
        assertThat(policy.limits().output()).isEqualTo(10L << 20);
        assertThat(policy.limits().processes()).hasValue(64);
        assertThat(policy.runAs()).contains(new RunAs(OptionalLong.of(1000), OptionalLong.of(100)));
        assertThat(policy.backend()).isEmpty();
    }

    @Test
    void problemsAreGatheredInTheOrderOfTheKeys() {
        PolicyInvalidException refused = catchThrowableOfType(
                PolicyInvalidException.class,
                () -> parse("{extra: 1, home: 3, limits: {timeout: x, more: 1}, require: [z]}"));
        assertThat(refused.problems())
                .extracting(Problem::where)
                .containsExactly("extra", "home", "limits.more", "limits.timeout", "require[0]");
    }

    @Test
    void theValueOfAVariableIsNotShown() {
        PolicyInvalidException refused = catchThrowableOfType(
                PolicyInvalidException.class, () -> parse("environment: {set: {A: \"s3cret\\0\", 'B=': s3cret}}"));
        assertThat(refused).hasMessageContaining("environment.set.A").hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "0:0", "owner", "999999999:1", "root"})
    void anIdentityIsNumbersAKnownNameOrTheOwner(String text) throws JsonProcessingException {
        assertThat(parse("run_as: '" + text + "'").runAs()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"''", "no-such-account", "'1:'", "':1'", "'1:2:3'", "-1", "1.5", "'1 '"})
    void anyOtherIdentityIsRefused(String text) {
        PolicyInvalidException refused =
                catchThrowableOfType(PolicyInvalidException.class, () -> parse("run_as: " + text));
        assertThat(refused).hasMessageStartingWith("POLICY_INVALID: run_as: ");
    }

    private static SandboxPolicy parse(String yaml) throws JsonProcessingException {
        return PolicyParser.parse(new YAMLMapper().readTree(yaml), BASE);
    }
}
