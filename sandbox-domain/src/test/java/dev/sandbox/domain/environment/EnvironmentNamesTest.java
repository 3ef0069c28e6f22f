package dev.sandbox.domain.environment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.Inheritance;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule of the lists by itself, through the builder that every step's environment comes from. */
class EnvironmentNamesTest {
    private static Map<String, String> inherited(String name, Inheritance inheritance) {
        return EnvironmentBuilder.build(EnvironmentRequest.builder()
                        .policy(EnvironmentPolicy.builder().inherit(inheritance).build())
                        .host(Map.of(name, "hunter2"))
                        .home(HomeMode.INHERIT)
                        .pathFilter(directory -> true)
                        .build())
                .variables();
    }

    private static void isScrubbed(String name) {
        for (String written : List.of(name, name.toLowerCase(Locale.ROOT))) {
            for (Inheritance inheritance : Inheritance.values()) {
                assertThat(inherited(written, inheritance).values())
                        .as("%s %s", written, inheritance)
                        .doesNotContain("hunter2");
            }
        }
    }

    static List<String> exact() {
        return Stream.concat(EnvironmentNames.SECRET_EXACT.stream(), EnvironmentNames.WHOLE_SECRETS.stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("exact")
    void aNameIsScrubbedInBothCases(String name) {
        isScrubbed(name);
    }

    static List<String> prefixes() {
        return EnvironmentNames.SECRET_PREFIXES;
    }

    @ParameterizedTest
    @MethodSource("prefixes")
    void aPrefixIsScrubbedInBothCasesWithAndWithoutMoreBehindIt(String prefix) {
        isScrubbed(prefix);
        isScrubbed(prefix + "X");
    }

    @ParameterizedTest
    @MethodSource("prefixes")
    void aPrefixInTheMiddleOfANameIsNone(String prefix) {
        assertThat(EnvironmentNames.SECRET_PREFIXES).anyMatch(prefix::startsWith);
        boolean otherwise = EnvironmentNames.SECRET_SUFFIXES.stream().anyMatch(("X" + prefix + "X")::endsWith);
        assertThat(EnvironmentNames.isSecret("X" + prefix + "X")).isEqualTo(otherwise);
    }

    static List<String> suffixes() {
        return EnvironmentNames.SECRET_SUFFIXES;
    }

    @ParameterizedTest
    @MethodSource("suffixes")
    void aSuffixIsScrubbedInBothCases(String suffix) {
        isScrubbed("MY" + suffix);
        isScrubbed("A_B" + suffix);
    }

    static Stream<String> listed() {
        return EnvironmentNames.LISTED.stream().filter(name -> !name.equals("PATH") && !name.equals("TMPDIR"));
    }

    @ParameterizedTest
    @MethodSource("listed")
    void aListedNameIsInheritedByTheListInBothCases(String pattern) {
        String name = pattern.replace("*", "X");
        for (String written : List.of(name, name.toLowerCase(Locale.ROOT))) {
            assertThat(inherited(written, Inheritance.LISTED)).containsEntry(written, "hunter2");
        }
    }

    @Test
    void whatIsNoSecretAndNotListedIsInheritedOnlyWhereSecretsAloneAreTaken() {
        assertThat(inherited("SERVER_MODE", Inheritance.SCRUBBED)).containsKey("SERVER_MODE");
        assertThat(inherited("SERVER_MODE", Inheritance.LISTED)).doesNotContainKey("SERVER_MODE");
    }

    /** By name, so that a rule which is taken out of the lists is missed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "AWS_ACCESS_KEY_ID",
                "AWS_SESSION_TOKEN",
                "GITHUB_TOKEN",
                "GH_TOKEN",
                "NPM_TOKEN",
                "DATABASE_URL",
                "JWT_SECRET",
                "OPENAI_API_KEY",
                "ANTHROPIC_API_KEY",
                "PGPASSWORD",
                "MYSQL_PWD",
                "SSH_AUTH_SOCK",
                "GPG_AGENT_INFO",
                "DBUS_SESSION_BUS_ADDRESS",
                "KUBECONFIG",
                "DOCKER_HOST",
                "VAULT_ADDR",
                "GOOGLE_APPLICATION_CREDENTIALS",
                "AZURE_STORAGE_KEY",
                "AZURE_STORAGE_CONNECTION_STRING",
                "SECRET_KEY_BASE",
                "STRIPE_KEY",
                "SLACK_WEBHOOK_URL",
                "TWINE_PASSWORD",
                "npm_config__auth",
                "npm_config_//r.example/:_authToken",
                "MY_PRIVATE_KEY",
                "SESSION_COOKIE",
                "SENTRY_DSN",
                "KRB5CCNAME",
                "LD_PRELOAD",
                "LD_LIBRARY_PATH",
                "BASH_ENV",
                "ENV",
                "GLIBC_TUNABLES",
                "SANDBOX_DOCKER_IMAGE"
            })
    void theWellKnownOnesAreScrubbed(String name) {
        isScrubbed(name);
    }
}
