package dev.sandbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.guarantee.ImpliedGuarantees;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.verdict.AccessOracle;
import dev.sandbox.domain.verdict.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the oracle says of a path is what a real child finds there. For use in a property of any number of tries:
 *
 * <pre>
 * &#64;Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
 * void whatAChildFindsIsWhatTheOracleSays(&#64;ForAll("samples") DiskSample sample) throws IOException {
 *     agreement.check(sample);
 * }
 * </pre>
 *
 * Immutable; safe for use by many threads when its sandbox is.
 */
public final class OracleAgreement {
    private final StandardSandbox sandbox;
    private final Set<Operation> operations;
    private final UnaryOperator<SandboxPolicy.Builder> beside;

    /**
     * Compares under every backend of a sandbox.
     *
     * @param operations what a child tries
     * @param beside adds what a backend needs beside the paths, an image for one
     */
    public OracleAgreement(
            StandardSandbox sandbox, Set<Operation> operations, UnaryOperator<SandboxPolicy.Builder> beside) {
        this.sandbox = sandbox;
        this.operations = Set.copyOf(operations);
        this.beside = beside;
    }

    private record Probe(Operation operation, String path) {
        /** True when the child can do it. But for exec builtins only: a fork for each would take minutes. */
        String script() {
            String word = DiskSample.quoted(path);
            return switch (operation) {
                case READ -> "true < " + word;
                case WRITE -> "true >> " + word;
                case EXEC -> "./" + word;
                case LIST -> "set -- " + word + "/.mar*; [ \"$1\" = " + word + "/.mark ]";
                case CREATE -> "true > " + word;
            };
        }
    }

    /**
     * Makes the sample in a folder of its own, asks a child under each backend that can enforce its policy, and removes it.
     *
     * @return how many answers were compared; none when the policy contradicts itself or no backend can enforce it
     * @throws AssertionError when an answer differs; it shows the sample, and the script that the child ran
     */
    public int check(DiskSample sample) throws IOException {
        Path base = Files.createTempDirectory("oracle").toRealPath();
        try {
            sample.make(base);
            return compare(sample, base);
        } catch (PolicyInvalidException contradiction) {
            return 0;
        } finally {
            remove(base);
        }
    }

    private int compare(DiskSample sample, Path base) throws IOException {
        SandboxPolicy policy = beside.apply(sample.policy(base)).build();
        ResolvedPolicy resolved = sandbox.resolve(policy);
        AccessOracle oracle = sandbox.oracle(resolved);
        List<Probe> probes = probes(sample, base, oracle);
        List<Probe> expected =
                probes.stream().filter(probe -> expected(probe, base, oracle)).toList();
        int compared = 0;
        for (IsolationBackend backend : sandbox.backends()) {
            boolean enforces = backend.assess(policy)
                    .missing(ImpliedGuarantees.of(resolved))
                    .isEmpty();
            if (enforces && agrees(sample, policy, backend, probes, expected)) {
                compared += probes.size();
                removeMade(base);
            }
        }
        return compared;
    }

    /** False when the backend cannot express the policy after all, and says so. */
    private boolean agrees(
            DiskSample sample,
            SandboxPolicy policy,
            IsolationBackend backend,
            List<Probe> probes,
            List<Probe> expected) {
        StringBuilder script = new StringBuilder();
        for (int i = 0; i < probes.size(); i++) {
            script.append("{ if ")
                    .append(probes.get(i).script())
                    .append("; then echo ")
                    .append(i)
                    .append("; fi; } 2>/dev/null\n");
        }
        SandboxPolicy narrowed =
                SandboxPolicy.builder().from(policy).backend(backend.name()).build();
        String said;
        try {
            said = sandbox.run(narrowed, Command.shell(script.toString())).stdout();
        } catch (SandboxUnavailableException cannotExpress) {
            return false;
        }
        List<Probe> found =
                said.lines().map(line -> probes.get(Integer.parseInt(line))).toList();
        assertThat(found)
                .as("under %s, with%s%nrun: %s", backend.name(), sample, script)
                .isEqualTo(expected);
        return true;
    }

    private boolean expected(Probe probe, Path base, AccessOracle oracle) {
        Path path = base.resolve(probe.path());
        return (Files.exists(path) || probe.operation() == Operation.CREATE)
                && oracle.allows(AbsolutePath.of(path), probe.operation());
    }

    private List<Probe> probes(DiskSample sample, Path base, AccessOracle oracle) {
        List<Probe> probes = new ArrayList<>();
        Map<String, String> links = visible(sample, base, oracle);
        for (String file : names(links, sample.files())) {
            probes.add(new Probe(Operation.READ, file));
            probes.add(new Probe(Operation.WRITE, file));
            probes.add(new Probe(Operation.EXEC, file));
        }
        for (String directory : names(links, sample.directories())) {
            probes.add(new Probe(Operation.LIST, directory));
            probes.add(new Probe(Operation.CREATE, directory + "/.probe"));
        }
        probes.removeIf(probe -> !operations.contains(probe.operation()));
        return probes;
    }

    /** Without the links that stand in no grant: under Landlock they are followed, in a mount namespace they are not there. */
    private static Map<String, String> visible(DiskSample sample, Path base, AccessOracle oracle) {
        return sample.links().entrySet().stream()
                .filter(link -> oracle.allows(
                        AbsolutePath.of(base.resolve(link.getKey())).parent().orElseThrow(), Operation.LIST))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The paths themselves, and the same through every link that leads to or above them. */
    private static Set<String> names(Map<String, String> links, List<String> paths) {
        Set<String> names = new TreeSet<>(paths);
        links.forEach((link, target) -> paths.stream()
                .filter(path -> path.equals(target) || path.startsWith(target + "/"))
                .forEach(path -> names.add(link + path.substring(target.length()))));
        return names;
    }

    private static void removeMade(Path base) throws IOException {
        try (Stream<Path> paths = Files.walk(base)) {
            for (Path probe : paths.filter(path -> path.endsWith(".probe")).toList()) {
                Files.delete(probe);
            }
        }
    }

    private static void remove(Path base) throws IOException {
        try (Stream<Path> paths = Files.walk(base)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                    Files.delete(path);
                }
            }
        }
    }
}
