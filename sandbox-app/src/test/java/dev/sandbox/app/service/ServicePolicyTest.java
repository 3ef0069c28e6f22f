package dev.sandbox.app.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ServicePolicyTest {
    private static final AbsolutePath BASE = AbsolutePath.of("/srv/work");

    private static final SandboxPolicy STANDARD = SandboxPolicy.builder()
            .baseDir(BASE)
            .addReadPaths("in")
            .addBlockedPaths("secret")
            .addBlockedWritePaths("in/kept")
            .network(NetworkPolicy.builder()
                    .mode(NetworkPolicy.Mode.TCP)
                    .addTcpConnect(80, 443)
                    .build())
            .limits(Limits.builder()
                    .timeout(Duration.ofSeconds(100))
                    .memory(1000)
                    .output(1000)
                    .build())
            .build();

    private static final ServicePolicy POLICY = new ServicePolicy(
            STANDARD,
            Confines.of(List.of(BASE, AbsolutePath.of("/shared")), List.of()),
            new ExtraEnvironment(List.of("VAR_*", "LD_*", "DB_PATH")),
            Duration.ofSeconds(60),
            Duration.ofHours(1));

    private static StepOrder order(String policy) {
        try {
            return new StepOrder(
                    "true",
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Map.of(),
                    Optional.of(new ObjectMapper().readTree(policy)),
                    List.of());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static SandboxPolicy merged(String policy) {
        return POLICY.job(order(policy)).policy();
    }

    @Test
    void anOrderWithoutAnythingRunsUnderTheStandardPolicy() {
        SandboxPolicy policy = POLICY.job(StepOrder.of("true", Optional.empty(), Optional.empty()))
                .policy();
        assertThat(policy.readPaths()).containsExactly("in");
        assertThat(policy.limits().timeout()).contains(Duration.ofSeconds(60));
    }

    @Test
    void grantsReplaceTheServersAndBlocksAddUp() {
        SandboxPolicy policy = merged("{\"write_paths\":[\"out\",\"/shared/x\"],\"blocked_paths\":[\"out/b\"]}");
        assertThat(policy.readPaths()).isEmpty();
        assertThat(policy.writePaths()).containsExactly("out", "/shared/x");
        assertThat(policy.blockedPaths()).containsExactly("secret", "out/b");
        assertThat(policy.blockedWritePaths()).containsExactly("in/kept");
    }

    @Test
    void withoutGrantsOfItsOwnTheServersStay() {
        SandboxPolicy policy = merged("{\"network\":\"none\",\"limits\":{\"memory\":\"500B\"}}");
        assertThat(policy.readPaths()).containsExactly("in");
        assertThat(policy.network()).isEqualTo(NetworkPolicy.none());
        assertThat(policy.limits().memory()).hasValue(500);
        assertThat(policy.limits().output()).isEqualTo(1000);
    }

    @Test
    void anotherBaseInsideKeepsTheServersBlocksWhereTheyAre() {
        SandboxPolicy policy = merged("{\"base_dir\":\"/srv/work/a\",\"write_paths\":[\"out\"]}");
        assertThat(policy.baseDir()).isEqualTo(AbsolutePath.of("/srv/work/a"));
        assertThat(policy.writePaths()).containsExactly("out");
        assertThat(policy.blockedPaths()).containsExactly("/srv/work/secret");
        assertThat(policy.blockedWritePaths()).containsExactly("/srv/work/in/kept");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"read_paths\":[\"/srv/other\"]}",
                "{\"read_paths\":[\"/srv/workshop\"]}",
                "{\"list_paths\":[\"/\"]}",
                "{\"blocked_paths\":[\"/etc/x\"]}",
                "{\"work_dir\":\"/tmp\"}",
                "{\"cache_dir\":\"/tmp\",\"write_paths\":[\"out\"]}",
                "{\"base_dir\":\"/srv\"}",
                "{\"network\":\"allow\"}",
                "{\"network\":{\"tcp_connect\":[22]}}",
                "{\"network\":{\"tcp_bind\":[80]}}",
                "{\"network\":{\"domains\":[\"example.org\"]}}",
                "{\"limits\":{\"memory\":\"1001B\"}}",
                "{\"limits\":{\"output\":1001}}",
                "{\"limits\":{\"timeout\":\"101s\"}}",
                "{\"tmp\":\"host\"}",
                "{\"home\":\"inherit\"}",
                "{\"proc\":\"all\"}",
                "{\"environment\":{\"pass\":[\"A\"]}}",
                "{\"extra_system_paths\":[\"/srv/work\"]}",
                "{\"run_as\":\"owner\"}",
                "{\"image\":\"x\"}",
                "{\"unknown\":1}"
            })
    void whatIsWiderIsRefused(String policy) {
        assertThatThrownBy(() -> merged(policy)).isInstanceOf(PolicyInvalidException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "example.org, example.org, true",
        "EXAMPLE.org., example.org, true",
        "example.org:443, example.org, true",
        "example.org, example.org:443, false",
        "example.org, example.org:443 example.org:80, true",
        "a.example.org, *.example.org, true",
        "*.a.example.org, *.example.org, true",
        "*.example.org, *.example.org, true",
        "example.org, *.example.org, false",
        "badexample.org, *.example.org, false",
        "*.example.org, example.org, false",
        "example.org:22, example.org, false",
        "example.org a.org, example.org, false",
    })
    void aNameIsNarrowerThanTheNamesThatCoverIt(String asked, String own, boolean narrower) {
        assertThat(NetworkNarrowing.isNarrower(domains(asked), domains(own))).isEqualTo(narrower);
    }

    private static NetworkPolicy domains(String names) {
        return NetworkPolicy.builder()
                .mode(NetworkPolicy.Mode.DOMAINS)
                .domains(List.of(names.split(" ")))
                .build();
    }

    @Test
    void whereTheServerHasNoNetworkNoneIsHad() {
        assertThat(NetworkNarrowing.isNarrower(NetworkPolicy.allow(), NetworkPolicy.none()))
                .isFalse();
        assertThat(NetworkNarrowing.isNarrower(NetworkPolicy.none(), NetworkPolicy.none()))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0,100", "5,5", "100,100"})
    void theTimeIsTheOneAskedForUpToTheServers(long asked, long given) {
        StepOrder order = StepOrder.of("true", Optional.empty(), Optional.of(Duration.ofSeconds(asked)));
        assertThat(POLICY.job(order).policy().limits().timeout()).contains(Duration.ofSeconds(given));
    }

    @Test
    void moreTimeThanTheServersIsRefused() {
        StepOrder order = StepOrder.of("true", Optional.empty(), Optional.of(Duration.ofMillis(100_001)));
        assertThatThrownBy(() -> POLICY.job(order)).hasMessageContaining("timeout: 100.001 s is more than");
    }

    @Test
    void variablesOfTheLoaderAreNeverAccepted() {
        StepJob job =
                POLICY.job(order("{\"environment\":{\"set\":{\"LD_PRELOAD\":\"x\",\"VAR_A\":\"1\",\"PATH\":\"/\"}}}"));
        assertThat(job.policy().environment().set()).isEqualTo(Map.of("VAR_A", "1"));
        assertThat(job.notes()).singleElement().asString().contains("LD_PRELOAD, PATH");
    }
}
