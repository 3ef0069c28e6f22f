package dev.sandbox.domain.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.ProcAccess;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.PolicyResolver;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.testkit.PathArbitraries;
import dev.sandbox.testkit.PolicyArbitraries;
import dev.sandbox.testkit.Scenario;
import dev.sandbox.testkit.TreeRoots;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class AccessOraclePropertyTest {
    @Provide
    Arbitrary<Scenario> valid() {
        return PolicyArbitraries.validScenarios(TreeRoots.SHORT);
    }

    @Provide
    Arbitrary<AbsolutePath> paths() {
        return PathArbitraries.below(TreeRoots.SHORT);
    }

    /** Also where no grant may ever be. */
    @Provide
    Arbitrary<AbsolutePath> anywhere() {
        Arbitrary<AbsolutePath> special = Arbitraries.of(
                        "/",
                        "/proc",
                        "/proc/1/environ",
                        "/sys/x",
                        "/dev/null",
                        "/usr",
                        "/etc",
                        "/nowhere",
                        "/nowhere/x")
                .map(AbsolutePath::of);
        return Arbitraries.oneOf(paths(), special);
    }

    @Provide
    Arbitrary<String> written() {
        return PolicyArbitraries.written(TreeRoots.SHORT);
    }

    private static boolean allows(Scenario scenario, ResolvedPolicy policy, AbsolutePath path, Operation operation) {
        return new AccessOracle(policy, scenario.host()).allows(path, operation);
    }

    @Property
    void addingABlockNeverAddsAccess(
            @ForAll("valid") Scenario scenario,
            @ForAll("written") String block,
            @ForAll boolean writesOnly,
            @ForAll("paths") AbsolutePath path,
            @ForAll Operation operation) {
        SandboxPolicy.Builder more = SandboxPolicy.builder().from(scenario.policy());
        SandboxPolicy blocked = (writesOnly ? more.addBlockedWritePaths(block) : more.addBlockedPaths(block)).build();
        Optional<ResolvedPolicy> resolved = new Scenario(scenario.files(), blocked).resolve();
        if (resolved.isPresent() && allows(scenario, resolved.get(), path, operation)) {
            assertThat(allows(scenario, scenario.resolve().orElseThrow(), path, operation))
                    .isTrue();
        }
    }

    @Property
    void grantsAddUp(
            @ForAll("valid") Scenario scenario,
            @ForAll("written") String grant,
            @ForAll("paths") AbsolutePath path,
            @ForAll Operation operation) {
        SandboxPolicy more = SandboxPolicy.builder()
                .from(scenario.policy())
                .addReadPaths(grant)
                .build();
        Optional<ResolvedPolicy> resolved = new Scenario(scenario.files(), more).resolve();
        if (resolved.isPresent() && allows(scenario, scenario.resolve().orElseThrow(), path, operation)) {
            assertThat(allows(scenario, resolved.get(), path, operation)).isTrue();
        }
    }

    /** The law of the oracle, written again from the contract, for paths that hold no link. */
    @Property
    void itDecidesByTheWrittenLaw(
            @ForAll("valid") Scenario scenario, @ForAll("paths") AbsolutePath asked, @ForAll Operation operation) {
        AbsolutePath path = scenario.files().stat(asked).path();
        if (!path.equals(asked)) {
            return;
        }
        List<AccessRule> rules = List.copyOf(scenario.resolve().orElseThrow().rules());
        boolean create = operation == Operation.CREATE;
        boolean blocked = rules.stream()
                .filter(rule -> rule.access() == Access.BLOCKED
                        || (rule.access() == Access.BLOCKED_WRITE && operation.isChange()))
                .anyMatch(rule -> (rule.path() + "/").equals(path + "/")
                        || (path + "/").startsWith(rule.path() + "/")
                        || (create && (rule.path() + "/").startsWith(path + "/")));
        boolean granted = rules.stream()
                .filter(rule -> switch (rule.access()) {
                    case WRITE -> true;
                    case READ -> !operation.isChange();
                    case LIST -> operation == Operation.LIST;
                    case DEVICE, BLOCKED, BLOCKED_WRITE -> false;
                })
                .anyMatch(rule -> (rule.path().equals(path) && !create)
                        || (rule.kind().id().equals("directory") && rule.path().strictlyContains(path)));
        assertThat(allows(scenario, scenario.resolve().orElseThrow(), path, operation))
                .isEqualTo(granted && !blocked);
    }

    /** Applied as a user would: by adding the line to the policy. */
    @Property
    void theFixOfADenialResolvesAndAllowsIt(
            @ForAll("valid") Scenario scenario, @ForAll("anywhere") AbsolutePath path, @ForAll Operation operation) {
        Verdict verdict = new AccessOracle(scenario.resolve().orElseThrow(), scenario.host()).decide(path, operation);
        boolean blocked = verdict.rule().filter(rule -> rule.access().isBlock()).isPresent();
        if (verdict.isAllowed() || blocked) {
            assertThat(verdict.fix()).isEmpty();
        } else if (verdict.fix().isEmpty()) {
            assertThat(verdict.reason()).containsAnyOf(", and none can: ", "; no grant is proposed: ");
        } else {
            assertThat(verdict.reason()).doesNotContain("none can");
            SandboxPolicy changed = applied(scenario.policy(), verdict.fix());
            ResolvedPolicy resolved = PolicyResolver.resolve(changed, scenario.host());
            assertThat(allows(scenario, resolved, path, operation)).isTrue();
        }
    }

    private static SandboxPolicy applied(SandboxPolicy policy, String fix) {
        SandboxPolicy.Builder changed = SandboxPolicy.builder().from(policy);
        if (fix.equals("proc: self")) {
            return changed.proc(ProcAccess.SELF).build();
        }
        String path = fix.replaceFirst("^[a-z_]+: \\[\"?(.*?)\"?]$", "$1");
        return switch (fix.substring(0, fix.indexOf(':'))) {
            case "read_paths" -> changed.addReadPaths(path).build();
            case "list_paths" -> changed.addListPaths(path).build();
            case "write_paths" -> changed.addWritePaths(path).build();
            default -> throw new AssertionError(fix);
        };
    }
}
