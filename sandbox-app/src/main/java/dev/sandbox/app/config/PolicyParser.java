package dev.sandbox.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.EnvironmentMode;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.HostDevice;
import dev.sandbox.domain.policy.Inheritance;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.OnMissing;
import dev.sandbox.domain.policy.PackageConfig;
import dev.sandbox.domain.policy.ProcAccess;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.policy.Toolchains;
import dev.sandbox.domain.policy.TrustHandoff;
import dev.sandbox.domain.policy.UserNamespaces;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** From a parsed document to a policy. Gathers every problem, each with its key; an unknown key is one. One use. */
public final class PolicyParser {
    private final List<Problem> problems = new ArrayList<>();
    private final SandboxPolicy.Builder policy = SandboxPolicy.builder();
    private final CallersPaths paths;

    private PolicyParser(CallersPaths paths) {
        this.paths = paths;
    }

    /**
     * Reads the document.
     *
     * @throws PolicyInvalidException with all problems
     */
    public static SandboxPolicy parse(JsonNode document, AbsolutePath defaultBase) {
        return parse(document, defaultBase, CallersPaths.AS_WRITTEN);
    }

    /** As {@link #parse(JsonNode, AbsolutePath)}, for a document whose author is the caller. */
    static SandboxPolicy parse(JsonNode document, AbsolutePath defaultBase, CallersPaths paths) {
        PolicyParser parser = new PolicyParser(paths);
        parser.read(document, defaultBase);
        if (!parser.problems.isEmpty()) {
            throw new PolicyInvalidException(parser.problems);
        }
        return parser.policy.build();
    }

    private void read(JsonNode document, AbsolutePath defaultBase) {
        policy.baseDir(defaultBase);
        if (document.isNull() || document.isMissingNode()) {
            return;
        }
        if (!document.isObject()) {
            problem(
                    "",
                    "the policy is " + kind(document) + ", not a mapping of keys",
                    "begin with a key such as write_paths:");
            return;
        }
        knownKeys(PolicyKey.TOP, document);
        path(document, "base_dir", this::baseDir);
        path(document, "work_dir", policy::workDir);
        policy.readPaths(paths(document, "read_paths"));
        policy.writePaths(paths(document, "write_paths"));
        policy.listPaths(paths(document, "list_paths"));
        policy.blockedPaths(paths(document, "blocked_paths"));
        policy.blockedWritePaths(paths(document, "blocked_write_paths"));
        policy.extraSystemPaths(paths(document, "extra_system_paths"));
        path(document, "cache_dir", policy::cacheDir);
        text(document, "image", policy::image);
        constant(document, "", "on_missing", OnMissing.class, policy::onMissing);
        constant(document, "", "home", HomeMode.class, policy::home);
        constant(document, "", "toolchains", Toolchains.class, policy::toolchains);
        constant(document, "", "package_config", PackageConfig.class, policy::packageConfig);
        constant(document, "", "tmp", TmpMode.class, policy::tmp);
        constant(document, "", "proc", ProcAccess.class, policy::proc);
        constants(document, "host_devices", HostDevice.class, policy::addHostDevices);
        constant(document, "", "user_namespaces", UserNamespaces.class, policy::userNamespaces);
        policy.allowSockets(paths(document, "allow_sockets"));
        new NetworkParser(problems).parse(document.path("network")).ifPresent(policy::network);
        environment(document.path("environment"));
        limits(document.path("limits"));
        text(document, "run_as", this::runAs);
        trustHandoff(document.path("trust_handoff"));
        text(document, "backend", this::backend);
        guarantees(document);
    }

    private void baseDir(String text) {
        try {
            policy.baseDir(AbsolutePath.of(text));
        } catch (IllegalArgumentException e) {
            problem("base_dir", "\"" + text + "\" " + e.getMessage(), "");
        }
    }

    private void backend(String id) {
        if (!id.equals("auto")) {
            BackendName.findStandard(id)
                    .ifPresentOrElse(
                            policy::backend,
                            () -> problem(
                                    "backend", "\"" + id + "\" is not one of auto, landlock, mountns, docker", ""));
        }
    }

    private void runAs(String text) {
        try {
            policy.runAs(RunAsOption.parse(text));
        } catch (IllegalArgumentException e) {
            problem("run_as", String.valueOf(e.getMessage()), "");
        }
    }

    private <E extends Enum<E>> void constants(JsonNode document, String key, Class<E> type, Consumer<E> found) {
        List<String> words = texts(document, key);
        for (int i = 0; i < words.size(); i++) {
            try {
                found.accept(EnumWords.parse(type, words.get(i)));
            } catch (IllegalArgumentException e) {
                problem(key + "[" + i + "]", String.valueOf(e.getMessage()), "");
            }
        }
    }

    private void guarantees(JsonNode document) {
        List<String> ids = texts(document, "require");
        for (int i = 0; i < ids.size(); i++) {
            Optional<Guarantee> guarantee = Guarantee.of(ids.get(i));
            if (guarantee.isPresent()) {
                policy.addRequire(guarantee.get());
            } else {
                String known =
                        Arrays.stream(Guarantee.values()).map(Guarantee::id).collect(Collectors.joining(", "));
                problem("require[" + i + "]", "\"" + ids.get(i) + "\" is no guarantee", "choose from " + known);
            }
        }
    }

    private void environment(JsonNode node) {
        if (absent(node) || !isMapping("environment", node)) {
            return;
        }
        EnvironmentPolicy.Builder environment = EnvironmentPolicy.builder();
        constant(node, "environment.", "mode", EnvironmentMode.class, environment::mode);
        constant(node, "environment.", "inherit", Inheritance.class, environment::inherit);
        environment.set(variables(node.path("set")));
        environment.pass(texts("environment.pass", node.path("pass")));
        environment.block(texts("environment.block", node.path("block")));
        environment.mask(texts("environment.mask", node.path("mask")));
        policy.environment(environment.build());
    }

    private void trustHandoff(JsonNode node) {
        if (absent(node) || !isMapping("trust_handoff", node)) {
            return;
        }
        TrustHandoff.Builder trust = TrustHandoff.builder();
        constant(node, "trust_handoff.", "protect", TrustHandoff.Protection.class, trust::protect);
        trust.add(texts("trust_handoff.add", node.path("add")));
        trust.remove(texts("trust_handoff.remove", node.path("remove")));
        policy.trustHandoff(trust.build());
    }

    private Map<String, String> variables(JsonNode node) {
        Map<String, String> variables = new LinkedHashMap<>();
        if (absent(node)) {
            return variables;
        }
        if (!node.isObject()) {
            wrongType("environment.set", node, "a mapping of names to texts");
            return variables;
        }
        node.properties().forEach(field -> {
            String where = "environment.set." + field.getKey();
            if (!field.getValue().isValueNode() || field.getValue().isNull()) {
                wrongType(where, field.getValue(), "a text");
            } else {
                EnvironmentEntry.problem(where, field.getKey(), field.getValue().asText())
                        .ifPresent(problems::add);
                variables.put(field.getKey(), field.getValue().asText());
            }
        });
        return variables;
    }

    private void limits(JsonNode node) {
        if (absent(node) || !isMapping("limits", node)) {
            return;
        }
        Limits.Builder limits = Limits.builder();
        quantity(node, "timeout", text -> limits.timeout(Quantity.duration(text)));
        quantity(node, "output", text -> limits.output(Quantity.bytes(text)));
        quantity(node, "memory", text -> limits.memory(Quantity.memory(text)));
        quantity(node, "file_size", text -> limits.fileSize(Quantity.bytes(text)));
        quantity(node, "cpu_time", text -> limits.cpuTime(Quantity.duration(text)));
        count(node, "processes", limits::processes);
        count(node, "open_files", limits::openFiles);
        policy.limits(limits.build());
    }

    private void quantity(JsonNode node, String key, Consumer<String> use) {
        JsonNode value = node.path(key);
        if (absent(value)) {
            return;
        }
        if (!value.isTextual() && !value.isIntegralNumber()) {
            wrongType("limits." + key, value, "a number with a unit");
            return;
        }
        try {
            use.accept(value.asText());
        } catch (IllegalArgumentException e) {
            problem("limits." + key, String.valueOf(e.getMessage()), "");
        }
    }

    private void count(JsonNode node, String key, LongConsumer use) {
        JsonNode value = node.path(key);
        if (absent(value)) {
            return;
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < 1) {
            wrongType("limits." + key, value, "a whole number from 1 on");
            return;
        }
        use.accept(value.asLong());
    }

    private boolean isMapping(String section, JsonNode node) {
        if (!node.isObject()) {
            wrongType(section, node, "a mapping");
            return false;
        }
        knownKeys(section, node);
        return true;
    }

    private void knownKeys(String section, JsonNode node) {
        node.fieldNames().forEachRemaining(key -> {
            if (!PolicyKey.isKnown(section, key)) {
                problem(PolicyKey.prefix(section) + key, "is not a key of a policy", PolicyKey.hint(section, key));
            }
        });
    }

    private <E extends Enum<E>> void constant(
            JsonNode node, String prefix, String key, Class<E> type, Consumer<E> use) {
        text(node, prefix, key, text -> {
            try {
                use.accept(EnumWords.parse(type, text));
            } catch (IllegalArgumentException e) {
                problem(prefix + key, String.valueOf(e.getMessage()), "");
            }
        });
    }

    private void text(JsonNode node, String key, Consumer<String> use) {
        text(node, "", key, use);
    }

    private void text(JsonNode node, String prefix, String key, Consumer<String> use) {
        JsonNode value = node.path(key);
        if (absent(value)) {
            return;
        }
        if (!value.isTextual() && !(value.isIntegralNumber() && key.equals("run_as"))) {
            wrongType(prefix + key, value, "a text");
            return;
        }
        use.accept(value.asText());
    }

    private void path(JsonNode node, String key, Consumer<String> use) {
        text(node, key, text -> expanded(key, text).ifPresent(use));
    }

    private List<String> paths(JsonNode node, String key) {
        List<String> written = texts(node, key);
        List<String> expanded = new ArrayList<>();
        for (int i = 0; i < written.size(); i++) {
            expanded.add(expanded(key + "[" + i + "]", written.get(i)).orElse(""));
        }
        return expanded;
    }

    private Optional<String> expanded(String where, String text) {
        try {
            return Optional.of(paths.expand(text));
        } catch (IllegalArgumentException e) {
            problem(where, String.valueOf(e.getMessage()), "set it, or write the path");
            return Optional.empty();
        }
    }

    private List<String> texts(JsonNode node, String key) {
        return texts(key, node.path(key));
    }

    private List<String> texts(String where, JsonNode value) {
        List<String> texts = new ArrayList<>();
        if (absent(value)) {
            return texts;
        }
        if (!value.isArray()) {
            wrongType(where, value, "a list of texts");
            return texts;
        }
        for (int i = 0; i < value.size(); i++) {
            if (value.get(i).isTextual()) {
                texts.add(value.get(i).asText());
            } else {
                wrongType(where + "[" + i + "]", value.get(i), "a text");
            }
        }
        return texts;
    }

    private static boolean absent(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    private void wrongType(String where, JsonNode found, String wanted) {
        problem(where, "is " + kind(found) + ", not " + wanted, "");
    }

    static String kind(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> "a list";
            case OBJECT, POJO -> "a mapping";
            case STRING, BINARY -> "the text \"" + node.asText() + "\"";
            case NUMBER -> "the number " + node.asText();
            case BOOLEAN -> "the truth value " + node.asText();
            case NULL, MISSING -> "empty";
        };
    }

    private void problem(String where, String what, String fix) {
        problems.add(new Problem(where, what, fix));
    }
}
