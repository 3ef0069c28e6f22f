package dev.sandbox.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The schema accepts what the parser accepts. What it cannot say, and the parser does: that a number with a unit is too large,
 * that 1.0 is no whole number to us, and all that needs the host: whether a path exists, where it leads, which account asks.
 */
final class PolicySchemaPropertyTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonSchema SCHEMA =
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(PolicySchema.text());

    @Property(tries = 500)
    void everyPolicyIsValidByTheSchema(@ForAll("policies") SandboxPolicy policy) {
        JsonNode document = JSON.valueToTree(RenderedPolicy.of(policy));

        assertThat(SCHEMA.validate(document)).isEmpty();
    }

    @Property(tries = 1000)
    void schemaAndParserAgreeOnADocument(@ForAll("documents") Object document) {
        JsonNode tree = JSON.valueToTree(document);
        Assume.that(!tree.path("run_as").isTextual()); // whether there is one of that name only this host knows
        agree(tree);
    }

    /** One or two steps away from a valid one, where mistakes are. */
    @Property(tries = 1000)
    void schemaAndParserAgreeOnAPolicyWithAMistakeInIt(
            @ForAll("policies") SandboxPolicy policy, @ForAll("mistakes") List<Mistake> mistakes) {
        JsonNode document = JSON.valueToTree(RenderedPolicy.of(policy));
        mistakes.forEach(mistake -> mistake.make(document));
        agree(document);
    }

    @ParameterizedTest
    @ValueSource(strings = {"relative", "/a/../b", "/a/..", "", "/nul\0"})
    void neitherTakesThisForABaseDir(String text) {
        JsonNode document = JSON.valueToTree(Map.of("base_dir", text));

        assertThat(accepted(document)).isFalse();
        agree(document);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "owner",
                "0",
                "0:0",
                "1000:100",
                "root",
                "root:0",
                "-1",
                "a b",
                "1:2:3",
                "01",
                "",
                ":",
                "1:",
                "/x"
            })
    void schemaAndParserAgreeOnAnIdentity(String text) {
        agree(JSON.valueToTree(Map.of("run_as", text)));
    }

    @Property(tries = 2000)
    void schemaAndParserAgreeOnADomain(@ForAll("domainTexts") String text) {
        agree(JSON.valueToTree(Map.of("network", Map.of("domains", List.of(text)))));
    }

    @Provide
    Arbitrary<String> domainTexts() {
        return Arbitraries.of(
                        "a",
                        "Org",
                        "*",
                        "*.",
                        ".",
                        "-",
                        "_",
                        ":",
                        "443",
                        "65536",
                        "0",
                        "0x",
                        "f",
                        "\n",
                        "\0",
                        "ü",
                        "/",
                        "[",
                        "a".repeat(63),
                        "b".repeat(61) + ".")
                .list()
                .ofMaxSize(8)
                .map(parts -> String.join("", parts));
    }

    @Test
    void whatIsTooLargeOnlyWithItsUnitOnlyTheParserRefuses() {
        JsonNode document = JSON.valueToTree(Map.of("limits", Map.of("memory", "9223372036854775807GiB")));

        assertThat(SCHEMA.validate(document)).isEmpty();
        assertThat(accepted(document)).isFalse();
    }

    private static void agree(JsonNode document) {
        Set<ValidationMessage> messages = SCHEMA.validate(document);
        assertThat(messages.isEmpty()).as("%s: schema %s", document, messages).isEqualTo(accepted(document));
    }

    private static boolean accepted(JsonNode document) {
        try {
            PolicyParser.parse(document, PolicyDocuments.BASE);
            return true;
        } catch (PolicyInvalidException refused) {
            return false;
        }
    }

    /**
     * A key of the policy or of one of its sections that holds something else.
     *
     * @param section a section, or the policy itself
     * @param key perhaps one that belongs elsewhere
     * @param value anything
     */
    record Mistake(String section, String key, Object value) {
        /** Whether there is one of that name only this host knows. */
        boolean namesAnAccount() {
            return key.equals("run_as") && value instanceof String;
        }

        void make(JsonNode policy) {
            JsonNode target = section.isEmpty() ? policy : policy.path(section);
            if (target instanceof ObjectNode object) {
                object.set(key, JSON.valueToTree(value));
            }
        }
    }

    @Provide
    Arbitrary<List<Mistake>> mistakes() {
        return Combinators.combine(
                        Arbitraries.of("", "", "", "network", "environment", "limits"),
                        PolicyDocuments.keys(),
                        writable())
                .as(Mistake::new)
                .filter(mistake -> !mistake.namesAnAccount())
                .list()
                .ofMinSize(1)
                .ofMaxSize(2);
    }

    /** NaN has no place in JSON: a document that holds it reaches no validator. */
    private static Arbitrary<Object> writable() {
        return PolicyDocuments.documents()
                .filter(document -> !document.toString().contains("NaN"));
    }

    @Provide
    Arbitrary<SandboxPolicy> policies() {
        return PolicyDocuments.policies();
    }

    @Provide
    Arbitrary<Object> documents() {
        return writable();
    }
}
