package dev.sandbox.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class PolicyParserPropertyTest {
    private static final AbsolutePath BASE = PolicyDocuments.BASE;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper YAML = new YAMLMapper();

    @Property(tries = 300)
    void whatIsRenderedAsJsonParsesBack(@ForAll("policies") SandboxPolicy policy) throws JsonProcessingException {
        String text = JSON.writeValueAsString(RenderedPolicy.of(policy));
        assertThat(PolicyParser.parse(JSON.readTree(text), BASE)).isEqualTo(policy);
    }

    @Property(tries = 200)
    void whatIsRenderedAsYamlParsesBack(@ForAll("policies") SandboxPolicy policy) throws JsonProcessingException {
        String text = YAML.writeValueAsString(RenderedPolicy.of(policy));
        assertThat(PolicyParser.parse(YAML.readTree(text), BASE)).isEqualTo(policy);
    }

    @Property(tries = 1000)
    void aDocumentIsAPolicyOrIsRefusedInOneLine(@ForAll("documents") Object document) {
        JsonNode tree = JSON.valueToTree(document);
        try {
            assertThat(PolicyParser.parse(tree, BASE)).isNotNull();
        } catch (PolicyInvalidException refused) {
            assertThat(refused.problems()).isNotEmpty();
            assertThat(refused.getMessage()).startsWith("POLICY_INVALID: ").doesNotContain("\n", "\0");
        }
    }

    @Provide
    Arbitrary<SandboxPolicy> policies() {
        return PolicyDocuments.policies();
    }

    @Provide
    Arbitrary<Object> documents() {
        return PolicyDocuments.documents();
    }
}
