package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.core.Sandboxes;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.guarantee.ImpliedGuarantees;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.verdict.AccessOracle;
import dev.sandbox.domain.verdict.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * The heart of the project: what the oracle says of a path is what a real child finds there, under every backend that promises it.
 * A failing example shrinks, and prints as a tree, a policy file and the command.
 */
final class DifferentialIT {
    private static final List<String> DIRECTORIES = List.of("a", "a/b", "a/b/c", "d", "d/e");
    private static final List<String> FILES = List.of("a/x", "a/b/x", "a/b/c/x", "d/x", "d/e/x", "x");
    private static final List<String> MISSING = List.of("a/none", "d/none/deep");

    private static final List<String> LINKS = List.of("a/l1", "d/l2");

    private final StandardSandbox sandbox = Sandboxes.standard(Map.of("PATH", "/usr/bin:/bin"));

    @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
    void oracleAgreesWithWhatAChildFinds(@ForAll("samples") Sample sample) throws IOException {
        Path base = Files.createTempDirectory("differential").toRealPath();
        try {
            sample.make(base);
            compare(sample, base);
        } finally {
            remove(base);
        }
    }

    private void compare(Sample sample, Path base) throws IOException {
        // A container takes a second, and its system folders are its image's: see DifferentialContainerIT.
        List<IsolationBackend> ofThisHost = sandbox.backends().stream()
                .filter(backend -> !backend.name().equals(BackendName.DOCKER))
                .toList();
        try {
            compare(sandbox, ofThisHost, sample, sample.policy(base), base, probe -> true);
        } catch (PolicyInvalidException contradiction) {
            Assume.that(false);
        }
    }

    /**
     * Under each of the backends that can enforce the policy.
     *
     * @param tried which probes to make
     * @throws PolicyInvalidException when the sample contradicts itself
     */
    static void compare(
            StandardSandbox sandbox,
            List<IsolationBackend> backends,
            Sample sample,
            SandboxPolicy policy,
            Path base,
            Predicate<String> tried)
            throws IOException {
        ResolvedPolicy resolved = sandbox.resolve(policy);
        AccessOracle oracle = sandbox.oracle(resolved);
        Map<String, String> probes = probes(visible(sample, base, oracle));
        probes.keySet().removeIf(tried.negate());
        Set<String> expected = expected(probes.keySet(), base, oracle);
        for (IsolationBackend backend : backends) {
            if (backend.assess().missing(ImpliedGuarantees.of(resolved)).isEmpty()) {
                SandboxPolicy narrowed = SandboxPolicy.builder()
                        .from(policy)
                        .backend(backend.name())
                        .build();
                String script = probes.entrySet().stream()
                        .map(probe ->
                                "{ if " + probe.getValue() + "; then echo '" + probe.getKey() + "'; fi; } 2>/dev/null")
                        .collect(Collectors.joining("\n"));
                Set<String> found = new TreeSet<>(sandbox.run(narrowed, Command.shell(script))
                        .stdout()
                        .lines()
                        .toList());
                assertThat(found)
                        .as("under %s, with%s%nrun: %s", backend.name(), sample, script)
                        .isEqualTo(expected);
                removeProbes(base);
            }
        }
    }

    /** Shell tests by name; each is true when the child could do it. But for exec builtins only: a fork for each would take minutes. */
    private static Map<String, String> probes(Sample sample) {
        Map<String, String> probes = new LinkedHashMap<>();
        for (String file : names(sample, sample.files())) {
            probes.put("read " + file, "true < '" + file + "'");
            probes.put("write " + file, "true >> '" + file + "'");
            probes.put("exec " + file, "'./" + file + "'");
        }
        for (String directory : names(sample, sample.directories())) {
            probes.put("list " + directory, "set -- '" + directory + "'/.mar*; [ \"$1\" = '" + directory + "/.mark' ]");
            probes.put("create " + directory + "/.probe", "true > '" + directory + "/.probe'");
        }
        return probes;
    }

    private static Set<String> expected(Set<String> probes, Path base, AccessOracle oracle) {
        Set<String> expected = new TreeSet<>();
        for (String probe : probes) {
            String[] parts = probe.split(" ", 2);
            Operation operation = Operation.of(parts[0]).orElseThrow();
            if (Files.exists(base.resolve(parts[1])) || operation == Operation.CREATE) {
                if (oracle.allows(AbsolutePath.of(base.resolve(parts[1]).toString()), operation)) {
                    expected.add(probe);
                }
            }
        }
        return expected;
    }

    /** Without the links that stand in no grant: under Landlock they are followed, in a mount namespace they are not there. */
    private static Sample visible(Sample sample, Path base, AccessOracle oracle) {
        SortedMap<String, String> links = new TreeMap<>(sample.links());
        links.keySet()
                .removeIf(link -> !oracle.allows(
                        AbsolutePath.of(base.resolve(link).toString()).parent().orElseThrow(), Operation.LIST));
        return new Sample(sample.directories(), sample.files(), links, sample.grants());
    }

    /** The paths themselves, and the same through every link that leads above them. */
    private static List<String> names(Sample sample, List<String> paths) {
        List<String> names = new ArrayList<>(paths);
        sample.links()
                .forEach((link, target) -> paths.stream()
                        .filter(path -> path.equals(target) || path.startsWith(target + "/"))
                        .forEach(path -> names.add(link + path.substring(target.length()))));
        return names;
    }

    @Provide
    static Arbitrary<Sample> samples() {
        List<String> targets =
                Stream.of(DIRECTORIES, FILES).flatMap(List::stream).toList();
        List<String> all =
                Stream.of(targets, MISSING, LINKS).flatMap(List::stream).toList();
        Arbitrary<SortedMap<String, String>> links = Arbitraries.of(targets)
                .list()
                .ofMaxSize(2)
                .map(to -> {
                    SortedMap<String, String> map = new TreeMap<>();
                    for (int i = 0; i < to.size(); i++) {
                        map.put(LINKS.get(i), to.get(i));
                    }
                    return map;
                });
        Arbitrary<List<String>> few = Arbitraries.of(all).list().ofMaxSize(2).uniqueElements();
        Arbitrary<SortedMap<String, List<String>>> grants = Combinators.combine(few, few, few, few, few)
                .as((read, write, list, block, blockWrite) -> {
                    SortedMap<String, List<String>> map = new TreeMap<>();
                    List<List<String>> chosen = Arrays.asList(read, write, list, block, blockWrite);
                    List<String> keys =
                            List.of("read_paths", "write_paths", "list_paths", "blocked_paths", "blocked_write_paths");
                    for (int i = 0; i < keys.size(); i++) {
                        if (!chosen.get(i).isEmpty()) {
                            map.put(keys.get(i), chosen.get(i));
                        }
                    }
                    return map;
                });
        return Combinators.combine(links, grants).as((some, rules) -> new Sample(DIRECTORIES, FILES, some, rules));
    }

    private static void removeProbes(Path base) throws IOException {
        try (Stream<Path> paths = Files.walk(base)) {
            for (Path probe : paths.filter(path -> path.endsWith(".probe")).toList()) {
                Files.delete(probe);
            }
        }
    }

    static void remove(Path base) throws IOException {
        try (Stream<Path> paths = Files.walk(base)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
