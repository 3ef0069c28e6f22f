package dev.sandbox.domain.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DomainRuleTest {
    @ParameterizedTest
    @CsvSource({
        "example.org, example.org",
        "EXAMPLE.Org., example.org",
        "*.Example.org.:0443, *.example.org:443",
        "localhost, localhost",
        "xn--BCHER-kva.example, xn--bcher-kva.example",
        "1.example, 1.example",
        "0x7f.example, 0x7f.example",
        "a--b.c1, a--b.c1",
        "example.org:65535, example.org:65535"
    })
    void aRuleHasOneForm(String text, String canonical) {
        assertThat(DomainRule.parse(text)).hasToString(canonical).isEqualTo(DomainRule.parse(canonical));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.0.0.1:80",
                "127.0.0.1.",
                "127.1",
                "2130706433",
                "0x7f000001",
                "0X7F.1",
                "1.0x",
                "017700000001",
                "a.0x7f",
                "*.0.0.1",
                "::1",
                "[::1]",
                "[::1]:443",
                "::ffff:127.0.0.1",
                "[::ffff:7f00:1]:443",
                "a:1:2"
            })
    void anAddressIsNoName(String text) {
        refused(text, "is an address, not a name");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*|is every name",
                "*.*|is every name",
                "*.|has an empty part",
                "a.*.org|has a * that is not the first part",
                "*a.org|has a * that is not the first part",
                ".org|has an empty part",
                "a..org|has an empty part",
                "a.org..|has an empty part",
                ":443|has an empty part",
                "a:|has no port",
                "a:0|has no port",
                "a:65536|has no port",
                "a:99999999999|has no port",
                "a:+80|has no port",
                "a:٤٤٣|has no port",
                "https://a.org|without a scheme or a path",
                "a.org/x|without a scheme or a path",
                "u@a.org|letters, digits, hyphens and dots only",
                "a_b.org|letters, digits, hyphens and dots only",
                "a%2eorg|letters, digits, hyphens and dots only",
                "a.org\\|letters, digits, hyphens and dots only",
                "-a.org|begins or ends with a hyphen",
                "a-.org|begins or ends with a hyphen",
                "bücher.example|is not ASCII",
                "a。org|is not ASCII",
                "ａ.org|is not ASCII",
                "\u212A.org|is not ASCII"
            })
    void whatIsNoNameIsRefusedForItsReason(String text, String reason) {
        refused(text, reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {" a", "a ", "a\0.org", "a\n", "a\tb", "a\r\nHost", "a\u007f", "a.org\u001b"})
    void blanksAndControlCharactersAreRefused(String text) {
        refused(text, "letters, digits, hyphens and dots only");
    }

    @Test
    void aNameIsAsLongAsTheDnsHasThem() {
        String label = "a".repeat(63);
        String longest = String.join(".", label, label, label, "a".repeat(61));
        assertThat(DomainRule.parse("*." + longest + ".:1")).hasToString("*." + longest + ":1");
        refused(longest + "a", "is longer than a name of the DNS");
        refused(label + "a.org", "has a part longer than 63 characters");
        refused("", "has an empty part");
    }

    @Test
    void aPolicyHoldsCanonicalNamesOnly() {
        NetworkPolicy policy = domains("PyPI.org.", "*.NPMjs.org:443", "pypi.org");
        assertThat(policy.domains()).containsExactly("pypi.org", "*.npmjs.org:443");
        assertThat(policy).isEqualTo(domains("pypi.org", "*.npmjs.org:443"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> domains("pypi.org", "127.0.0.1"))
                .withMessageContaining("127.0.0.1");
    }

    private static NetworkPolicy domains(String... names) {
        return NetworkPolicy.builder()
                .mode(NetworkPolicy.Mode.DOMAINS)
                .domains(List.of(names))
                .build();
    }

    private static void refused(String text, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DomainRule.parse(text))
                .withMessageContaining(reason);
    }
}
