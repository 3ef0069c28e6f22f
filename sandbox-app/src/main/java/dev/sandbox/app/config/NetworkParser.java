package dev.sandbox.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sandbox.domain.policy.DomainRule;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the policy's {@code network}: a word, or a mapping of ports or domains. */
public final class NetworkParser {
    private static final String WHERE = "network";
    private static final String FORMS = "allow, none, {tcp_connect: [443]} or {domains: [example.org]}";
    private static final int LAST_PORT = 65_535;

    private final List<Problem> problems;

    NetworkParser(List<Problem> problems) {
        this.problems = problems;
    }

    Optional<NetworkPolicy> parse(JsonNode node) {
        if (node.isMissingNode() || node.isNull()) {
            return Optional.empty();
        }
        if (node.isTextual()) {
            return word(node.asText());
        }
        if (!node.isObject()) {
            problems.add(new Problem(WHERE, "is " + PolicyParser.kind(node) + ", not " + FORMS, ""));
            return Optional.empty();
        }
        return mapping(node);
    }

    private Optional<NetworkPolicy> word(String word) {
        if (word.equals("allow")) {
            return Optional.of(NetworkPolicy.allow());
        }
        if (word.equals("none")) {
            return Optional.of(NetworkPolicy.none());
        }
        problems.add(new Problem(WHERE, "\"" + word + "\" is not " + FORMS, ""));
        return Optional.empty();
    }

    private Optional<NetworkPolicy> mapping(JsonNode node) {
        node.fieldNames().forEachRemaining(key -> {
            if (!PolicyKey.isKnown(WHERE, key)) {
                problems.add(new Problem(
                        PolicyKey.prefix(WHERE) + key, "is not a key of a policy", PolicyKey.hint(WHERE, key)));
            }
        });
        boolean domains = node.has("domains");
        if (domains && (node.has("tcp_connect") || node.has("tcp_bind"))) {
            problems.add(new Problem(WHERE, "names both domains and ports", "choose one"));
            return Optional.empty();
        }
        NetworkPolicy.Builder network =
                NetworkPolicy.builder().mode(domains ? NetworkPolicy.Mode.DOMAINS : NetworkPolicy.Mode.TCP);
        return Optional.of(network.tcpConnect(ports(node, "tcp_connect", 1))
                .tcpBind(ports(node, "tcp_bind", 0))
                .domains(names(list(node, "domains", "names")))
                .build());
    }

    private List<Integer> ports(JsonNode node, String key, int first) {
        List<Integer> ports = new ArrayList<>();
        JsonNode list = list(node, key, "ports");
        for (int i = 0; i < list.size(); i++) {
            JsonNode port = list.path(i);
            if (port.isInt() && port.asInt() >= first && port.asInt() <= LAST_PORT) {
                ports.add(port.asInt());
            } else {
                problems.add(new Problem(
                        WHERE + "." + key + "[" + i + "]",
                        "is " + PolicyParser.kind(port) + ", not a port",
                        first + " to " + LAST_PORT));
            }
        }
        return ports;
    }

    /** The list under a key; an empty one when there is none, or something else, which is a problem. */
    private JsonNode list(JsonNode node, String key, String of) {
        JsonNode list = node.path(key);
        if (list.isMissingNode() || list.isArray()) {
            return list;
        }
        problems.add(new Problem(WHERE + "." + key, "is " + PolicyParser.kind(list) + ", not a list of " + of, ""));
        return MissingNode.getInstance();
    }

    private List<String> names(JsonNode list) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            String where = WHERE + ".domains[" + i + "]";
            if (!list.get(i).isTextual() || list.get(i).asText().isBlank()) {
                problems.add(new Problem(where, "is " + PolicyParser.kind(list.get(i)) + ", not a name", ""));
                continue;
            }
            try {
                names.add(DomainRule.parse(list.get(i).asText()).toString());
            } catch (IllegalArgumentException e) {
                problems.add(new Problem(where, String.valueOf(e.getMessage()), ""));
            }
        }
        return names;
    }
}
