package dev.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.environment.EnvironmentPlan;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.resolve.RuleSource;
import dev.sandbox.testkit.FakeFileSystem;
import dev.sandbox.testkit.PlanView;
import dev.sandbox.testkit.PlannerContract;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Laws of the planner, on policies of directories below /w. */
class ContainerPlannerPropertyTest implements PlannerContract<ContainerSpec> {
    @Override
    public ContainerSpec plan(SessionRequest request, FakeFileSystem files) {
        return ContainerPlanner.plan(request, settings().build());
    }

    /** Who may read a folder's names may read its files here: names alone are refused. */
    @Override
    public PlanView view(ContainerSpec plan, FakeFileSystem files) {
        return (path, operation) -> seen(plan, path)
                .filter(kind -> operation.isChange() ? kind == ContainerMount.Kind.BIND : kind.isBind())
                .isPresent();
    }

    private static final AbsolutePath BASE = AbsolutePath.of("/w");

    @Property
    void noFolderBetweenAWriteGrantAndABlockCanBeRenamed(@ForAll("rules") List<AccessRule> rules) {
        ContainerSpec spec = plan(rules);
        for (ContainerMount mount : spec.mounts()) {
            if (mount.kind() != ContainerMount.Kind.MASK_DIRECTORY) {
                continue;
            }
            for (AbsolutePath folder : mount.target().ancestors()) {
                if (seen(spec, folder).equals(Optional.of(ContainerMount.Kind.BIND))) {
                    assertThat(spec.mounts()).contains(new ContainerMount(folder, ContainerMount.Kind.BIND));
                }
            }
        }
    }

    @Property
    void aReadOnlyBindReachesIntoHostMounts(
            @ForAll("rules") List<AccessRule> rules, @ForAll("paths") AbsolutePath point) {
        ContainerSpec spec = ContainerPlanner.plan(
                request(rules), settings().addHostMounts(point).build());
        if (seen(spec, point).equals(Optional.of(ContainerMount.Kind.BIND_READ_ONLY))) {
            assertThat(spec.mounts()).contains(new ContainerMount(point, ContainerMount.Kind.BIND_READ_ONLY));
        }
    }

    private static Optional<ContainerMount.Kind> seen(ContainerSpec spec, AbsolutePath path) {
        return spec.mounts().stream()
                .filter(mount -> mount.target().contains(path))
                .max(Comparator.comparingInt(
                        mount -> mount.target().components().size()))
                .map(ContainerMount::kind);
    }

    private static ContainerSpec plan(List<AccessRule> rules) {
        return ContainerPlanner.plan(request(rules), settings().build());
    }

    private static ContainerSettings.Builder settings() {
        return ContainerSettings.builder()
                .image("image")
                .user(new ContainerUser(1000, 1000))
                .open(ContainerNetwork.BRIDGE);
    }

    private static SessionRequest request(List<AccessRule> rules) {
        ResolvedPolicy policy = ResolvedPolicy.builder()
                .policy(SandboxPolicy.builder().baseDir(BASE).build())
                .baseDir(BASE)
                .workDir(BASE)
                .addAllRules(rules)
                .build();
        return new SessionRequest(policy, EnvironmentPlan.builder().build());
    }

    @Provide
    Arbitrary<AbsolutePath> paths() {
        return Arbitraries.of("a", "b", "c")
                .list()
                .ofMinSize(1)
                .ofMaxSize(4)
                .map(names -> BASE.resolve(String.join("/", names)));
    }

    @Provide
    Arbitrary<List<AccessRule>> rules() {
        Arbitrary<Access> access = Arbitraries.of(Access.READ, Access.WRITE, Access.BLOCKED, Access.BLOCKED_WRITE);
        return Combinators.combine(paths(), access)
                .as((path, kind) ->
                        new AccessRule(path, EntryKind.DIRECTORY, kind, new RuleSource("test", 0, path.toString())))
                .list()
                .ofMaxSize(6);
    }
}
