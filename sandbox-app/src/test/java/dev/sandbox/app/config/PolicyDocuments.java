package dev.sandbox.app.config;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.EnvironmentMode;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.HostDevice;
import dev.sandbox.domain.policy.Inheritance;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.OnMissing;
import dev.sandbox.domain.policy.PackageConfig;
import dev.sandbox.domain.policy.ProcAccess;
import dev.sandbox.domain.policy.RunAs;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.policy.Toolchains;
import dev.sandbox.domain.policy.TrustHandoff;
import dev.sandbox.domain.policy.UserNamespaces;
import java.math.BigInteger;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Policies, and documents that may be one. */
final class PolicyDocuments {
    static final AbsolutePath BASE = AbsolutePath.of("/base");

    private PolicyDocuments() {}

    /** Valid ones with base_dir /base; every key is set now and then. */
    static Arbitrary<SandboxPolicy> policies() {
        Arbitrary<SandboxPolicy.Builder> paths = Combinators.combine(
                        texts(), texts(), texts(), texts(), texts(), texts())
                .as((read, write, list, block, blockWrite, system) -> SandboxPolicy.builder()
                        .baseDir(BASE)
                        .readPaths(read)
                        .writePaths(write)
                        .listPaths(list)
                        .blockedPaths(block)
                        .blockedWritePaths(blockWrite)
                        .extraSystemPaths(system));
        Arbitrary<SandboxPolicy.Builder> modes = Combinators.combine(
                        paths,
                        Arbitraries.of(HomeMode.class),
                        Arbitraries.of(TmpMode.class),
                        Arbitraries.of(ProcAccess.class),
                        Arbitraries.of(OnMissing.class).optional(),
                        Arbitraries.of(BackendName.standard()).optional(),
                        Arbitraries.of(Guarantee.class).set().ofMaxSize(3),
                        trust())
                .as((builder, home, tmp, proc, missing, backend, require, trust) -> builder.home(home)
                        .toolchains(home == HomeMode.INHERIT ? Toolchains.PATH : Toolchains.NONE)
                        .packageConfig(proc == ProcAccess.ALL ? PackageConfig.INHERIT : PackageConfig.PRIVATE)
                        .trustHandoff(trust)
                        .tmp(tmp)
                        .proc(proc)
                        .onMissing(missing)
                        .backend(backend)
                        .require(require));
        return Combinators.combine(
                        modes,
                        text(),
                        text().optional(),
                        text().optional(),
                        network(),
                        environment(),
                        limits(),
                        hardening())
                .as((builder, workDir, cache, image, network, environment, limits, hardening) -> builder.workDir(
                                workDir)
                        .cacheDir(cache)
                        .image(image)
                        .network(network)
                        .environment(environment)
                        .limits(limits)
                        .runAs(hardening.runAs())
                        .userNamespaces(hardening.userNamespaces())
                        .allowSockets(hardening.allowSockets())
                        .hostDevices(hardening.hostDevices())
                        .build());
    }

    /** More keys, since a combination takes eight. */
    private static Arbitrary<SandboxPolicy> hardening() {
        return Combinators.combine(
                        runAs(),
                        Arbitraries.of(UserNamespaces.class),
                        texts(),
                        Arbitraries.of(HostDevice.class).set())
                .as((runAs, namespaces, sockets, devices) -> SandboxPolicy.builder()
                        .baseDir(BASE)
                        .runAs(runAs)
                        .userNamespaces(namespaces)
                        .allowSockets(sockets)
                        .hostDevices(devices)
                        .build());
    }

    private static Arbitrary<String> text() {
        return Arbitraries.oneOf(
                Arbitraries.of(
                        "", ".", "a/b", "/x", "~", "yes", "null", "1", "- a", "#", "a: b", "'", "\"", "*x", "&x"),
                Arbitraries.strings().excludeChars('\0').ofMaxLength(12).filter(PolicyDocuments::isWritable));
    }

    /** Half a surrogate pair is no character, and no encoding can hold one. */
    private static boolean isWritable(String text) {
        return text.codePoints().allMatch(c -> Character.isDefined(c) && Character.getType(c) != Character.SURROGATE);
    }

    private static Arbitrary<List<String>> texts() {
        return text().list().ofMaxSize(3);
    }

    private static Arbitrary<NetworkPolicy> network() {
        Arbitrary<NetworkPolicy> tcp = Combinators.combine(
                        Arbitraries.integers().between(1, 65_535).set().ofMaxSize(3),
                        Arbitraries.integers().between(0, 65_535).set().ofMaxSize(3))
                .as((connect, bind) -> NetworkPolicy.builder()
                        .mode(NetworkPolicy.Mode.TCP)
                        .tcpConnect(connect)
                        .tcpBind(bind)
                        .build());
        Arbitrary<NetworkPolicy> domains = Arbitraries.of("pypi.org", "*.npmjs.org:443")
                .list()
                .ofMaxSize(2)
                .map(names -> NetworkPolicy.builder()
                        .mode(NetworkPolicy.Mode.DOMAINS)
                        .domains(names)
                        .build());
        return Arbitraries.oneOf(Arbitraries.of(NetworkPolicy.allow(), NetworkPolicy.none()), tcp, domains);
    }

    private static Arbitrary<EnvironmentPolicy> environment() {
        Arbitrary<String> names = Arbitraries.of("A", "MY_TOKEN", "npm_config_x", "Y");
        return Combinators.combine(
                        Arbitraries.of(EnvironmentMode.class),
                        Arbitraries.of(Inheritance.class),
                        Arbitraries.maps(names, text()).ofMaxSize(3),
                        texts(),
                        texts(),
                        texts())
                .as((mode, inherit, set, pass, block, mask) -> EnvironmentPolicy.builder()
                        .mode(mode)
                        .inherit(inherit)
                        .set(set)
                        .pass(pass)
                        .block(block)
                        .mask(mask)
                        .build());
    }

    private static Arbitrary<TrustHandoff> trust() {
        return Combinators.combine(Arbitraries.of(TrustHandoff.Protection.class), texts(), texts())
                .as((protect, add, remove) -> TrustHandoff.builder()
                        .protect(protect)
                        .add(add)
                        .remove(remove)
                        .build());
    }

    private static Arbitrary<Limits> limits() {
        Arbitrary<OptionalLong> counts = Arbitraries.longs()
                .greaterOrEqual(1)
                .optional()
                .map(count -> count.map(OptionalLong::of).orElse(OptionalLong.empty()));
        return Combinators.combine(
                        Arbitraries.longs()
                                .between(1, 1L << 50)
                                .map(Duration::ofMillis)
                                .optional(),
                        Arbitraries.longs().greaterOrEqual(0),
                        counts,
                        counts,
                        counts,
                        counts,
                        Arbitraries.longs()
                                .between(1, 1L << 50)
                                .map(Duration::ofMillis)
                                .optional())
                .as((timeout, output, memory, processes, fileSize, openFiles, cpuTime) -> Limits.builder()
                        .timeout(timeout)
                        .output(output)
                        .memory(memory)
                        .processes(processes)
                        .fileSize(fileSize)
                        .openFiles(openFiles)
                        .cpuTime(cpuTime)
                        .build());
    }

    private static Arbitrary<Optional<RunAs>> runAs() {
        OptionalLong none = OptionalLong.empty();
        return Arbitraries.of(
                        new RunAs(none, none),
                        new RunAs(OptionalLong.of(65534), none),
                        new RunAs(OptionalLong.of(0), OptionalLong.of(100)))
                .optional();
    }

    /** Trees of anything, below keys that a policy knows as often as not. */
    static Arbitrary<Object> documents() {
        return Arbitraries.recursive(PolicyDocuments::leaves, PolicyDocuments::listsAndMappings, 0, 3);
    }

    private static Arbitrary<Object> listsAndMappings(Arbitrary<Object> within) {
        Arbitrary<Object> list = within.list().ofMaxSize(3).map(values -> values);
        Arbitrary<Object> mapping =
                Arbitraries.maps(keys(), within).ofMaxSize(4).map(LinkedHashMap::new);
        return Arbitraries.frequencyOf(Tuple.of(1, list), Tuple.of(4, mapping));
    }

    static Arbitrary<Object> leaves() {
        return Arbitraries.of(
                "",
                "allow",
                "none",
                "private",
                "PRIVATE",
                "listed",
                "skip",
                "0s",
                " 5 MiB",
                "10 kB",
                "1.5h",
                "/a/../b",
                "65534:100",
                "1234567890",
                "/x",
                "..",
                "30s",
                "owner",
                "auto",
                "fs.read",
                "a\nb",
                "\0",
                0,
                1,
                -1,
                443,
                70_000,
                Long.MAX_VALUE,
                new BigInteger("99999999999999999999"),
                1.5,
                Double.NaN,
                true,
                false,
                Map.of(),
                List.of());
    }

    static Arbitrary<String> keys() {
        List<String> known = List.of("", "network", "environment", "trust_handoff", "limits").stream()
                .flatMap(section -> PolicyKey.keys(section).stream())
                .toList();
        return Arbitraries.frequencyOf(
                Tuple.of(9, Arbitraries.of(known)),
                Tuple.of(1, Arbitraries.strings().ofMaxLength(5)));
    }
}
