package dev.sandbox.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sandbox.domain.policy.NetworkPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NetworkOptionTest {
    @Test
    void aWordAllowsAllOrNothing() {
        assertThat(NetworkOption.parse("allow")).isEqualTo(NetworkPolicy.allow());
        assertThat(NetworkOption.parse("none")).isEqualTo(NetworkPolicy.none());
    }

    @Test
    void portsMayBeConnectedToAndNoneBound() {
        assertThat(NetworkOption.parse("tcp:443,80,443"))
                .isEqualTo(NetworkPolicy.builder()
                        .mode(NetworkPolicy.Mode.TCP)
                        .addTcpConnect(80, 443)
                        .build());
    }

    @Test
    void domainsAreCanonicalAndKeepTheirOrder() {
        assertThat(NetworkOption.parse("domains:PyPI.org.,*.npmjs.org:443,pypi.org")
                        .domains())
                .containsExactly("pypi.org", "*.npmjs.org:443");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Allow",
                "all",
                "tcp",
                "tcp:",
                "tcp:,",
                "tcp:0",
                "tcp:65536",
                "tcp:-1",
                "tcp:http",
                "tcp:80,",
                "tcp: 80",
                "tcp:٤٤٣",
                "tcp:999999999999",
                "domains",
                "domains:",
                "domains:a,,b",
                "domains:127.0.0.1",
                "domains:https://pypi.org",
                "udp:53"
            })
    void everythingElseIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> NetworkOption.parse(text));
    }
}
