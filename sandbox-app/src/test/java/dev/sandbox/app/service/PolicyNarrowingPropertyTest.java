package dev.sandbox.app.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.policy.EnvironmentMode;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.Inheritance;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.ProcAccess;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.resolve.RuleSource;
import dev.sandbox.domain.verdict.AccessOracle;
import dev.sandbox.domain.verdict.Operation;
import dev.sandbox.testkit.FakeFileSystem;
import dev.sandbox.testkit.PolicyArbitraries;
import dev.sandbox.testkit.Scenario;
import dev.sandbox.testkit.TreeArbitraries;
import dev.sandbox.testkit.TreeRoots;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** A request never widens what the server allows: not one field of its policy, and no path, by the oracle. */
final class PolicyNarrowingPropertyTest {
    private static final TreeRoots ROOTS = TreeRoots.SHORT;

    /** Where requests may name paths. */
    private static final List<AbsolutePath> CONFINES =
            List.of(ROOTS.base(), ROOTS.outside().resolve("a"));

    private static final Duration LONGEST = Duration.ofHours(1);

    /** The tree, the server's policy on it, and the policy of a request. */
    record Request(FakeFileSystem files, SandboxPolicy standard, Map<String, Object> document) {
        ServicePolicy service() {
            return new ServicePolicy(
                    standard,
                    Confines.of(CONFINES, List.of()),
                    new ExtraEnvironment(List.of("VAR_*")),
                    Duration.ofSeconds(60),
                    LONGEST);
        }

        /** Empty when it is refused. */
        Optional<StepJob> job() {
            StepOrder order = new StepOrder(
                    "true",
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Map.of(),
                    Optional.of(new ObjectMapper().valueToTree(document)),
                    List.of());
            try {
                return Optional.of(service().job(order));
            } catch (PolicyInvalidException refused) {
                return Optional.empty();
            }
        }
    }

    /** For each field: whether the first, a request's, is as narrow as the second, the server's. One that is not here must be equal. */
    private static final Map<String, BiPredicate<Object, Object>> NARROWER = Map.ofEntries(
            // Paths, which the oracle judges.
            Map.entry(
                    "baseDir", (asked, own) -> CONFINES.stream().anyMatch(root -> root.contains((AbsolutePath) asked))),
            Map.entry("workDir", (asked, own) -> true),
            Map.entry("readPaths", (asked, own) -> true),
            Map.entry("writePaths", (asked, own) -> true),
            Map.entry("listPaths", (asked, own) -> true),
            Map.entry("cacheDir", (asked, own) -> true),
            Map.entry("blockedPaths", (asked, own) -> ((List<?>) asked).size() >= ((List<?>) own).size()),
            Map.entry("blockedWritePaths", (asked, own) -> ((List<?>) asked).size() >= ((List<?>) own).size()),
            // What becomes of a grant that is missing gives nothing.
            Map.entry("onMissing", (asked, own) -> true),
            Map.entry("home", (asked, own) -> asked == HomeMode.PRIVATE || asked == own),
            Map.entry(
                    "tmp",
                    (asked, own) ->
                            asked == own || asked == TmpMode.PRIVATE || asked == TmpMode.NONE || own == TmpMode.HOST),
            Map.entry("proc", (asked, own) -> ((ProcAccess) asked).compareTo((ProcAccess) own) <= 0),
            Map.entry("network", (asked, own) -> reachesNoMore((NetworkPolicy) asked, (NetworkPolicy) own)),
            Map.entry("environment", (asked, own) -> seesNoMore((EnvironmentPolicy) asked, (EnvironmentPolicy) own)),
            Map.entry("limits", (asked, own) -> takesNoMore((Limits) asked, (Limits) own)),
            Map.entry("backend", (asked, own) -> own.equals(Optional.empty()) || asked.equals(own)),
            Map.entry("require", (asked, own) -> ((Set<?>) asked).containsAll((Set<?>) own)));

    private static boolean reachesNoMore(NetworkPolicy asked, NetworkPolicy own) {
        boolean nothing = asked.mode() == NetworkPolicy.Mode.NONE;
        boolean part = asked.mode() == own.mode()
                && own.tcpConnect().containsAll(asked.tcpConnect())
                && own.tcpBind().containsAll(asked.tcpBind())
                && own.domains().containsAll(asked.domains());
        return nothing || part || own.mode() == NetworkPolicy.Mode.ALLOW;
    }

    private static boolean seesNoMore(EnvironmentPolicy asked, EnvironmentPolicy own) {
        return (asked.mode() == own.mode() || asked.mode() == EnvironmentMode.CONTAINER)
                && (asked.inherit() == own.inherit() || asked.inherit() == Inheritance.LISTED)
                && asked.pass().equals(own.pass())
                && asked.mask().equals(own.mask())
                && asked.block().containsAll(own.block())
                && asked.set().keySet().containsAll(own.set().keySet())
                && asked.set().keySet().stream()
                        .allMatch(name -> own.set().containsKey(name) || name.startsWith("VAR_"));
    }

    private static boolean takesNoMore(Limits asked, Limits own) {
        Duration most = own.timeout().orElse(LONGEST);
        return asked.output() <= own.output()
                && isNoMore(asked.memory(), own.memory())
                && isNoMore(asked.processes(), own.processes())
                && isNoMore(asked.fileSize(), own.fileSize())
                && isNoMore(asked.openFiles(), own.openFiles())
                && asked.timeout().filter(time -> time.compareTo(most) <= 0).isPresent()
                && own.cpuTime()
                        .map(limit -> asked.cpuTime()
                                .filter(time -> time.compareTo(limit) <= 0)
                                .isPresent())
                        .orElse(true);
    }

    private static boolean isNoMore(OptionalLong asked, OptionalLong own) {
        return own.isEmpty() || (asked.isPresent() && asked.getAsLong() <= own.getAsLong());
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void noFieldIsWider(@ForAll("requests") Request request) throws ReflectiveOperationException {
        Optional<StepJob> job = request.job();
        Statistics.collect(job.isPresent() ? "taken" : "refused");
        Statistics.coverage(coverage -> {
            coverage.check("taken").percentage(p -> p > 10);
            coverage.check("refused").percentage(p -> p > 10);
        });
        if (job.isEmpty()) {
            return;
        }
        for (Method field : SandboxPolicy.class.getDeclaredMethods()) {
            if (!Modifier.isStatic(field.getModifiers()) && field.getParameterCount() == 0) {
                Object asked = field.invoke(job.get().policy());
                Object own = field.invoke(request.standard());
                boolean narrow =
                        NARROWER.getOrDefault(field.getName(), Object::equals).test(asked, own);
                assertThat(narrow)
                        .as("%s: %s, of the server's %s", field.getName(), asked, own)
                        .isTrue();
            }
        }
    }

    /** All that a request could ever have: the server's own grants, and everything in the confines, less the server's blocks. */
    private static ResolvedPolicy most(ResolvedPolicy standard) {
        ResolvedPolicy.Builder most = ResolvedPolicy.builder().from(standard);
        for (AbsolutePath root : CONFINES) {
            most.addRules(new AccessRule(
                    root, EntryKind.DIRECTORY, Access.WRITE, new RuleSource("confines", 0, root.toString())));
        }
        return most.build();
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void noPathIsWider(@ForAll("requestsOfPaths") Request request) {
        Scenario server = new Scenario(request.files(), request.standard());
        Optional<StepJob> job = request.job();
        Optional<ResolvedPolicy> asked =
                job.flatMap(taken -> server.with(taken.policy()).resolve().filter(policy -> isConfined(taken, policy)));
        boolean something = false;
        if (asked.isPresent()) {
            AccessOracle given = server.oracle(asked.get());
            AccessOracle allowed = server.oracle(most(server.resolve().orElseThrow()));
            for (AbsolutePath path : request.files().paths()) {
                for (Operation operation : Operation.values()) {
                    if (given.allows(path, operation)) {
                        something = true;
                        assertThat(allowed.allows(path, operation))
                                .as("%s %s", operation.id(), path)
                                .isTrue();
                    }
                }
            }
        }
        Statistics.label("request").collect(something ? "gives something" : "gives nothing or is refused");
        Statistics.label("request")
                .coverage(coverage -> coverage.check("gives something").percentage(p -> p > 5));
    }

    private static boolean isConfined(StepJob job, ResolvedPolicy policy) {
        try {
            job.confinement().accept(policy);
            return true;
        } catch (PolicyInvalidException leadsOutside) {
            return false;
        }
    }

    @Provide
    Arbitrary<Request> requests() {
        return Combinators.combine(TreeArbitraries.trees(ROOTS), servers(), documents())
                .as(Request::new)
                .filter(request -> new Scenario(request.files(), request.standard())
                        .resolve()
                        .isPresent());
    }

    @Provide
    Arbitrary<Request> requestsOfPaths() {
        Arbitrary<List<String>> paths = PolicyArbitraries.written(ROOTS).list().ofMaxSize(1);
        Arbitrary<Map<String, Object>> documents = Combinators.combine(List.of(
                        entry("read_paths", 0.6, paths),
                        entry("write_paths", 0.6, paths),
                        entry("list_paths", 0.3, paths),
                        entry("blocked_paths", 0.1, paths),
                        entry("base_dir", 0.2, Arbitraries.of("/w/a", "/x/a"))))
                .as(PolicyNarrowingPropertyTest::document);
        return Combinators.combine(TreeArbitraries.trees(ROOTS), PolicyArbitraries.policies(ROOTS), documents)
                .as(Request::new)
                .filter(request -> new Scenario(request.files(), request.standard())
                        .resolve()
                        .isPresent());
    }

    private static Arbitrary<SandboxPolicy> servers() {
        Arbitrary<Limits> limits = Arbitraries.of(100L, 1000L)
                .optional()
                .map(most -> most.map(value -> Limits.builder()
                                .memory(value)
                                .processes(value)
                                .output(value)
                                .timeout(Duration.ofSeconds(value))
                                .cpuTime(Duration.ofSeconds(value))
                                .build())
                        .orElse(Limits.builder().build()));
        Arbitrary<NetworkPolicy> networks = Arbitraries.of(
                NetworkPolicy.allow(),
                NetworkPolicy.none(),
                NetworkPolicy.builder()
                        .mode(NetworkPolicy.Mode.TCP)
                        .addTcpConnect(80, 443)
                        .build());
        Arbitrary<EnvironmentPolicy> environments = Combinators.combine(
                        Arbitraries.of(EnvironmentMode.class), Arbitraries.of(Inheritance.class))
                .as((mode, inherit) -> EnvironmentPolicy.builder()
                        .mode(mode)
                        .inherit(inherit)
                        .putSet("OWN", "1")
                        .addBlock("B")
                        .build());
        return Combinators.combine(
                        PolicyArbitraries.policies(ROOTS),
                        limits,
                        networks,
                        environments,
                        Arbitraries.of(HomeMode.class),
                        Arbitraries.of(TmpMode.class),
                        Arbitraries.of(ProcAccess.class))
                .as((paths, limit, network, environment, home, tmp, proc) -> SandboxPolicy.builder()
                        .from(paths)
                        .limits(limit)
                        .network(network)
                        .environment(environment)
                        .home(home)
                        .tmp(tmp)
                        .proc(proc)
                        .build());
    }

    private record Entry(String key, Optional<Object> value) {}

    private static Arbitrary<Map<String, Object>> documents() {
        Arbitrary<List<String>> paths = PolicyArbitraries.written(ROOTS).list().ofMaxSize(2);
        List<Arbitrary<Entry>> entries = new ArrayList<>(List.of(
                entry("read_paths", 0.4, paths),
                entry("write_paths", 0.4, paths),
                entry("list_paths", 0.2, paths),
                entry("blocked_paths", 0.2, paths),
                entry("blocked_write_paths", 0.2, paths),
                entry("base_dir", 0.2, Arbitraries.of("/w", "/w/a", "/x/a", "/x")),
                entry("work_dir", 0.1, PolicyArbitraries.written(ROOTS)),
                entry("cache_dir", 0.1, PolicyArbitraries.written(ROOTS)),
                entry("on_missing", 0.2, Arbitraries.of("skip", "create", "refuse")),
                entry("home", 0.1, Arbitraries.of("private", "inherit")),
                entry("tmp", 0.1, Arbitraries.of("private", "none", "host")),
                entry("proc", 0.1, Arbitraries.of("none", "self", "all")),
                entry(
                        "network",
                        0.2,
                        Arbitraries.of(
                                "none",
                                "allow",
                                Map.of("tcp_connect", List.of(443)),
                                Map.of("tcp_connect", List.of(22)),
                                Map.of("tcp_bind", List.of(443)),
                                Map.of("domains", List.of("example.org")))),
                entry(
                        "environment",
                        0.2,
                        Arbitraries.of(
                                Map.of("mode", "container", "inherit", "listed"),
                                Map.of("mode", "native"),
                                Map.of("inherit", "scrubbed"),
                                Map.of("set", Map.of("VAR_A", "1", "OTHER", "2")),
                                Map.of("block", List.of("C")),
                                Map.of("pass", List.of("SECRET")),
                                Map.of("mask", List.of("OWN")))),
                entry(
                        "limits",
                        0.2,
                        Combinators.combine(
                                        Arbitraries.of("memory", "processes", "output", "file_size", "open_files"),
                                        Arbitraries.of(50, 500, 5000))
                                .as(Map::of)),
                entry(
                        "limits",
                        0.1,
                        Combinators.combine(Arbitraries.of("timeout", "cpu_time"), Arbitraries.of("50s", "500s", "2h"))
                                .as(Map::of)),
                entry("backend", 0.1, Arbitraries.of("landlock", "mountns")),
                entry("require", 0.1, Arbitraries.of(List.of("kill.tree"), List.of("fs.read", "net.none")))));
        // What is the server's alone.
        Map.<String, Object>of(
                        "extra_system_paths", List.of("/w"),
                        "toolchains", "path",
                        "package_config", "inherit",
                        "user_namespaces", "allow",
                        "allow_sockets", List.of("/w/a"),
                        "run_as", "0",
                        "image", "other",
                        "host_devices", List.of("shm"),
                        "trust_handoff", Map.of("protect", "none"))
                .forEach((key, value) -> entries.add(entry(key, 0.02, Arbitraries.just(value))));
        return Combinators.combine(entries).as(PolicyNarrowingPropertyTest::document);
    }

    private static Arbitrary<Entry> entry(String key, double probability, Arbitrary<?> values) {
        return values.<Object>map(value -> value).optional(probability).map(value -> new Entry(key, value));
    }

    private static Map<String, Object> document(List<Entry> entries) {
        Map<String, Object> document = new TreeMap<>();
        entries.forEach(entry -> entry.value().ifPresent(value -> document.put(entry.key(), value)));
        return document;
    }
}
