package dev.sandbox.domain.environment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.policy.EnvironmentMode;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.Inheritance;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** The step's environment is a part of what policy and derivation allow; what is allowed is written here again, from docs/policy.md. */
class EnvironmentBuilderPropertyTest {
    /** What a variable of the caller's is to a step. */
    private enum Kind {
        /** Passes with {@code inherit: listed}, too. */
        LISTED,
        ORDINARY,
        /** Never, unless passed by name. */
        SECRET,
        /** Says where the caller's HOME is. */
        HOME,
        /** Says who the caller is. */
        IDENTITY,
        /** Names a server of the caller's own. */
        TERMINAL
    }

    private static final Map<String, Kind> NAMES = Map.ofEntries(
            Map.entry("TZ", Kind.LISTED),
            Map.entry("LC_TIME", Kind.LISTED),
            Map.entry("GIT_PAGER", Kind.LISTED),
            Map.entry("MAVEN_OPTS", Kind.LISTED),
            Map.entry("PIP_INDEX_URL", Kind.LISTED),
            Map.entry("npm_config_registry", Kind.LISTED),
            Map.entry("RUSTUP_HOME", Kind.LISTED),
            Map.entry("FOO", Kind.ORDINARY),
            Map.entry("JDK_JAVA_OPTIONS", Kind.ORDINARY),
            Map.entry("COMPOSE_FILE", Kind.ORDINARY),
            Map.entry("AWS_SECRET_ACCESS_KEY", Kind.SECRET),
            Map.entry("my_token", Kind.SECRET),
            Map.entry("npm_config__authToken", Kind.SECRET),
            Map.entry("PIP_PASSWORD", Kind.SECRET),
            Map.entry("LD_PRELOAD", Kind.SECRET),
            Map.entry("SSH_AUTH_SOCK", Kind.SECRET),
            Map.entry("XDG_CONFIG_HOME", Kind.HOME),
            Map.entry("USER", Kind.IDENTITY),
            Map.entry("LOGNAME", Kind.IDENTITY),
            Map.entry("TMUX", Kind.TERMINAL));

    private static final Set<String> TMP_NAMES =
            Set.of("TMPDIR", "TMP", "TEMP", "TMPPREFIX", "TMUX_TMPDIR", "JDK_JAVA_OPTIONS");

    private static final Map<String, String> CARRIED = Map.of("GOPROXY", "https://proxy.example.org");

    /** Each value is its variable's own and occurs nowhere else. */
    private static String value(String name) {
        return "/of-the-caller/" + name;
    }

    @Provide
    Arbitrary<EnvironmentRequest> requests() {
        Arbitrary<Set<String>> some =
                Arbitraries.of(new TreeSet<>(NAMES.keySet())).set();
        Arbitrary<Set<String>> few =
                Arbitraries.of(new TreeSet<>(NAMES.keySet())).set().ofMaxSize(2);
        Arbitrary<EnvironmentPolicy> policies = Combinators.combine(
                        Arbitraries.of(EnvironmentMode.class), Arbitraries.of(Inheritance.class), few, few, few)
                .as((mode, inherit, pass, block, set) -> EnvironmentPolicy.builder()
                        .mode(mode)
                        .inherit(inherit)
                        .addAllPass(pass)
                        .addAllBlock(block)
                        .putAllSet(valued(set, "set-by-policy-"))
                        .build());
        Arbitrary<Boolean> coin = Arbitraries.of(false, true);
        Arbitrary<EnvironmentRequest.Builder> places = Combinators.combine(
                        policies,
                        some,
                        Arbitraries.of(HomeMode.class),
                        Arbitraries.of(SystemTmp.class),
                        coin,
                        coin,
                        coin)
                .as((policy, host, home, systemTmp, base, tmp, runAs) -> {
                    EnvironmentRequest.Builder builder = EnvironmentRequest.builder()
                            .policy(policy)
                            .host(host(host))
                            .home(home)
                            .systemTmp(systemTmp)
                            .pathFilter(directory -> true);
                    if (base) {
                        builder.cacheBase(AbsolutePath.of("/w"))
                                .settings(new PackageSettings(CARRIED, Map.of(), "", List.of()));
                    }
                    if (tmp) {
                        builder.tmpDir(AbsolutePath.of("/w/.tmp"));
                    }
                    if (runAs) {
                        builder.runAs(new Identity(1000, 1000));
                    }
                    return builder;
                });
        return Combinators.combine(places, coin)
                .as((builder, tools) -> (tools
                                ? builder.addToolFolders(AbsolutePath.of("/tools/bin"))
                                        .putToolVariables("RUSTUP_HOME", "/tools/rustup")
                                : builder)
                        .build());
    }

    private static Map<String, String> host(Set<String> names) {
        Map<String, String> host = new TreeMap<>(Map.of("PATH", "/opt/own/bin:/usr/bin", "HOME", "/home/caller"));
        names.forEach(name -> host.put(name, value(name)));
        return host;
    }

    private static Map<String, String> valued(Set<String> names, String prefix) {
        Map<String, String> values = new TreeMap<>();
        names.forEach(name -> values.put(name, prefix + name));
        return values;
    }

    /** Also as a part of another value: an option that is appended to, a path below it. */
    @Property(edgeCases = EdgeCasesMode.NONE)
    void nothingOfTheCallersGetsInThatMayNot(@ForAll("requests") EnvironmentRequest request) {
        String all =
                String.join("\n", EnvironmentBuilder.build(request).variables().values());
        boolean kept = false;
        boolean left = false;
        for (String name : request.host().keySet()) {
            if (NAMES.containsKey(name)) {
                boolean may = mayBeSeen(request, name);
                kept |= may;
                left |= !may;
                if (!may) {
                    assertThat(all).as(name).doesNotContain(value(name) + "\n").doesNotEndWith(value(name));
                    assertThat(all).as(name).doesNotContain(value(name) + " ");
                }
            }
        }
        Statistics.label("seen and left out").collect(kept, left);
        Statistics.label("seen and left out")
                .coverage(coverage -> coverage.check(true, true).percentage(p -> p > 20));
    }

    private static boolean mayBeSeen(EnvironmentRequest request, String name) {
        EnvironmentPolicy policy = request.policy();
        if (policy.pass().contains(name)) {
            return true;
        }
        if (policy.mode() == EnvironmentMode.CONTAINER || policy.block().contains(name)) {
            return false;
        }
        Kind kind = NAMES.getOrDefault(name, Kind.SECRET);
        boolean inherited = policy.inherit() == Inheritance.SCRUBBED || kind != Kind.ORDINARY;
        return switch (kind) {
            case LISTED, ORDINARY -> inherited;
            case SECRET, TERMINAL -> false;
            case HOME -> request.home() == HomeMode.INHERIT;
            case IDENTITY -> request.runAs().isEmpty();
        };
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void everyVariableIsSetPassedInheritedOrOneOfTheList(@ForAll("requests") EnvironmentRequest request) {
        Map<String, String> derived = derived(request);
        EnvironmentBuilder.build(request).variables().forEach((name, value) -> {
            EnvironmentPolicy policy = request.policy();
            boolean ofTheCaller = request.host().containsKey(name) && mayBeSeen(request, name);
            if (policy.set().containsKey(name)) {
                assertThat(value).isEqualTo(policy.set().get(name));
            } else if (policy.pass().contains(name) && request.host().containsKey(name)) {
                assertThat(value).isEqualTo(value(name));
            } else if (derived.containsKey(name)) {
                assertThat(value).as(name).contains(derived.get(name));
            } else {
                assertThat(ofTheCaller).as("%s=%s", name, value).isTrue();
                assertThat(value).isEqualTo(value(name));
            }
        });
    }

    /** Each with a text that its value holds. */
    private static Map<String, String> derived(EnvironmentRequest request) {
        Map<String, String> derived = new TreeMap<>(shared(request));
        derived.put("PATH", "/usr/bin");
        derived.put("HOME", "/");
        derived.putIfAbsent("LANG", "C.UTF-8");
        if (request.policy().mode() == EnvironmentMode.CONTAINER) {
            derived.putAll(Map.of("USER", "agent", "SHELL", "/bin/sh", "LC_ALL", "C.UTF-8"));
        }
        boolean callersToolchains = request.host().containsKey("RUSTUP_HOME") && mayBeSeen(request, "RUSTUP_HOME");
        if (callersToolchains) {
            derived.put("RUSTUP_HOME", value("RUSTUP_HOME"));
        }
        if (request.host().containsKey("JDK_JAVA_OPTIONS") && mayBeSeen(request, "JDK_JAVA_OPTIONS")) {
            derived.put("JDK_JAVA_OPTIONS", value("JDK_JAVA_OPTIONS"));
        }
        derived.putAll(request.toolVariables());
        return derived;
    }

    /** What both modes set, whatever the caller has. */
    private static Map<String, String> shared(EnvironmentRequest request) {
        Map<String, String> shared = new TreeMap<>(PackageManagers.always());
        request.cacheBase().ifPresent(base -> {
            shared.putAll(Redirections.below(base));
            shared.put("MAVEN_OPTS", "-Dmaven.repo.local=" + base + "/.cache/maven");
            shared.putAll(request.settings().variables());
        });
        request.tmpDir().ifPresent(tmp -> TMP_NAMES.forEach(name -> shared.put(name, tmp.toString())));
        shared.putAll(request.toolVariables());
        return shared;
    }

    /** A package manager finds the same natively and in a container. */
    @Property(edgeCases = EdgeCasesMode.NONE)
    void nativeAndContainerAgreeOnTheSharedList(@ForAll("requests") EnvironmentRequest request) {
        Map<String, String> nativeOnes = in(request, EnvironmentMode.NATIVE);
        Map<String, String> ofContainers = in(request, EnvironmentMode.CONTAINER);
        Map<String, String> shared = shared(request);
        // To these the caller's own options are appended, and its own toolchains kept, where they are inherited.
        shared.keySet().removeAll(Set.of("MAVEN_OPTS", "JDK_JAVA_OPTIONS", "RUSTUP_HOME"));

        for (String name : shared.keySet()) {
            assertThat(nativeOnes.get(name)).as(name).isEqualTo(ofContainers.get(name));
        }
        for (String options : List.of("MAVEN_OPTS", "JDK_JAVA_OPTIONS")) {
            if (ofContainers.containsKey(options)) {
                assertThat(nativeOnes.get(options)).endsWith(ofContainers.get(options));
            }
        }
        assertThat(nativeOnes.get("HOME")).isEqualTo(ofContainers.get("HOME"));
        Statistics.collect(shared.size() > PackageManagers.always().size() ? "redirected" : "not redirected");
        Statistics.coverage(coverage -> coverage.check("redirected").percentage(p -> p > 50));
    }

    private static Map<String, String> in(EnvironmentRequest request, EnvironmentMode mode) {
        return EnvironmentBuilder.build(EnvironmentRequest.builder()
                        .from(request)
                        .policy(EnvironmentPolicy.builder()
                                .from(request.policy())
                                .mode(mode)
                                .build())
                        .build())
                .variables();
    }
}
