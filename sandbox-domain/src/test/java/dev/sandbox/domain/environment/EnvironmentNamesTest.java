package dev.sandbox.domain.environment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.Inheritance;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
        return SecretNames.EXACT;
    }

    @ParameterizedTest
    @MethodSource("exact")
    void aNameIsScrubbedInBothCases(String name) {
        isScrubbed(name);
    }

    static List<String> prefixes() {
        return SecretNames.PREFIXES;
    }

    @ParameterizedTest
    @MethodSource("prefixes")
    void aPrefixIsScrubbedInBothCasesWithAndWithoutMoreBehindIt(String prefix) {
        isScrubbed(prefix);
        isScrubbed(prefix + "X");
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

    /** Real names, so that a rule which is taken out of the lists is missed. */
    @ParameterizedTest
    @MethodSource("secrets")
    void aRealSecretIsScrubbed(String name) {
        isScrubbed(name);
    }

    static List<String> secrets() throws IOException {
        return names("secret-names.txt", 300);
    }

    @ParameterizedTest
    @MethodSource("harmless")
    void aHarmlessNameIsInherited(String name) {
        assertThat(SecretNames.isSecret(name)).as(name).isFalse();
    }

    static List<String> harmless() throws IOException {
        return names("harmless-names.txt", 250);
    }

    private static List<String> names(String file, int atLeast) throws IOException {
        try (InputStream in = EnvironmentNamesTest.class.getResourceAsStream(file)) {
            List<String> names = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
            assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(atLeast);
            return names;
        }
    }

    /** Whatever stands around a secret word, and whatever number follows it. */
    @ParameterizedTest
    @ValueSource(strings = {"PASSWORD", "TOKEN", "SECRET", "API_KEY", "PASSPHRASE", "CREDENTIALS", "PRIVATE_KEY"})
    void aSecretWordIsFoundWhereverItStands(String word) {
        for (String name : List.of(
                word, "MY_" + word, word + "_X", "MY_" + word + "_X", "MY" + word, word + "1", "A9" + word + "_2")) {
            isScrubbed(name);
        }
    }
}
