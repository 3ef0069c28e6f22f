package dev.sandbox.mountns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.resolve.RuleSource;
import dev.sandbox.domain.verdict.Operation;
import dev.sandbox.mountns.MountOperation.Bind;
import dev.sandbox.mountns.MountOperation.DirectoryPlaceholder;
import dev.sandbox.mountns.MountOperation.FilePlaceholder;
import dev.sandbox.mountns.MountOperation.Mode;
import dev.sandbox.mountns.MountOperation.Origin;
import dev.sandbox.testkit.FakeFileSystem;
import dev.sandbox.testkit.PlanView;
import dev.sandbox.testkit.PlannerContract;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Laws of the plan, over a small tree in which paths often contain one another. */
class MountPlannerPropertyTest implements PlannerContract<MountPlan> {
    @Override
    public MountPlan plan(SessionRequest request, FakeFileSystem files) {
        return MountPlanner.plan(
                request.policy(),
                files,
                folder -> files.details().names(folder, Integer.MAX_VALUE),
                folder -> false,
                Below.LANDLOCK);
    }

    /** Names are made of placeholders, which also stand above every bind. */
    @Override
    public Set<Operation> operations() {
        return EnumSet.complementOf(EnumSet.of(Operation.LIST));
    }

    /** The innermost bind decides, as in the kernel. */
    @Override
    public PlanView view(MountPlan plan, FakeFileSystem files) {
        return (path, operation) -> {
            Optional<Bind> innermost = plan.binds()
                    .filter(bind -> bind.target().contains(path))
                    .reduce((outer, inner) -> inner)
                    .filter(bind -> bind.origin() == Origin.HOST);
            return innermost.isPresent()
                    && (!operation.isChange() || innermost.get().mode() == Mode.READ_WRITE);
        };
    }

    private static final AbsolutePath BASE = AbsolutePath.of("/b");
    /** A name that ends in f is a file, one in m is missing, any other a directory; nothing stands below a missing one. */
    private static final FileSystemView VIEW = new FileSystemView() {
        @Override
        public EntryKind kind(AbsolutePath path) {
            if (path.toString().contains("m")) {
                return EntryKind.MISSING;
            }
            return path.name().endsWith("f") ? EntryKind.FILE : EntryKind.DIRECTORY;
        }

        @Override
        public String linkTarget(AbsolutePath link) {
            throw new AssertionError("there is no link");
        }
    };

    @Provide
    Arbitrary<List<AccessRule>> rules() {
        Arbitrary<AbsolutePath> folders = Arbitraries.of("a", "c", "e $'\"\\\n")
                .list()
                .ofMinSize(0)
                .ofMaxSize(3)
                .map(names -> BASE.resolve("g").resolve(String.join("/", names)));
        Arbitrary<AbsolutePath> paths = Combinators.combine(folders, Arbitraries.of("", "xf", "m", "m/m"))
                .as((folder, name) -> folder.resolve(name));
        return Combinators.combine(
                        paths, Arbitraries.of(Access.READ, Access.WRITE, Access.BLOCKED, Access.BLOCKED_WRITE))
                .as((path, access) ->
                        new AccessRule(path, VIEW.kind(path), access, new RuleSource(access.id(), -1, path.toString())))
                .filter(rule -> rule.access().isBlock() || rule.kind() != EntryKind.MISSING)
                .list()
                .ofMaxSize(8);
    }

    private static MountPlan plan(List<AccessRule> rules) {
        SandboxPolicy policy = SandboxPolicy.builder().baseDir(BASE).build();
        ResolvedPolicy resolved = ResolvedPolicy.builder()
                .policy(policy)
                .baseDir(BASE)
                .workDir(BASE)
                .rules(rules)
                .build();
        return MountPlanner.plan(resolved, VIEW, directory -> List.of(), folder -> false, Below.LANDLOCK);
    }

    @Property
    void everyPlaceholderPrecedesEveryBindAndParentsComeFirst(@ForAll("rules") List<AccessRule> rules) {
        boolean bound = false;
        List<AbsolutePath> made = new ArrayList<>(List.of(AbsolutePath.ROOT));
        for (MountOperation operation : plan(rules).operations()) {
            bound |= operation instanceof Bind;
            if (operation instanceof DirectoryPlaceholder || operation instanceof FilePlaceholder) {
                assertThat(bound).isFalse();
                assertThat(made).contains(operation.target().parent().orElseThrow());
                made.add(operation.target());
            }
        }
    }

    @Property
    void aTargetsKindEqualsItsSources(@ForAll("rules") List<AccessRule> rules) {
        MountPlan plan = plan(rules);
        Map<AbsolutePath, Boolean> directories = new HashMap<>();
        plan.operations().forEach(operation -> {
            if (operation instanceof DirectoryPlaceholder || operation instanceof FilePlaceholder) {
                directories.put(operation.target(), operation instanceof DirectoryPlaceholder);
            }
        });
        plan.hostPlaceholders().forEach(it -> directories.put(it.path(), it.kind() == EntryKind.DIRECTORY));
        plan.binds().filter(bind -> bind.origin() == Origin.HOST).forEach(bind -> {
            boolean directory =
                    directories.getOrDefault(bind.target(), VIEW.kind(bind.target()) == EntryKind.DIRECTORY);
            assertThat(directory).isEqualTo(bind.kind() == EntryKind.DIRECTORY);
        });
    }

    @Property
    void noBindHidesALaterNarrowerOneAndNoneComesTwice(@ForAll("rules") List<AccessRule> rules) {
        List<AbsolutePath> targets = plan(rules).binds().map(Bind::target).toList();
        assertThat(targets).doesNotHaveDuplicates();
        for (int i = 0; i < targets.size(); i++) {
            for (int k = i + 1; k < targets.size(); k++) {
                assertThat(targets.get(k).strictlyContains(targets.get(i))).isFalse();
            }
        }
    }

    /** A private /tmp looks like a write grant around what lies under it, and is none. */
    @Property
    void nothingOfTheHostIsBoundWithoutAGrantUnderThePrivateTmpEither(@ForAll("rules") List<AccessRule> rules) {
        List<AccessRule> underTmp = rules.stream()
                .map(rule -> new AccessRule(
                        AbsolutePath.of("/tmp" + rule.path()), rule.kind(), rule.access(), rule.source()))
                .toList();
        for (List<AccessRule> all : List.of(rules, underTmp)) {
            plan(all)
                    .binds()
                    .filter(bind -> bind.origin() == Origin.HOST && bind.mode() != Mode.DEVICE)
                    .forEach(bind -> assertThat(given(all, bind.target()))
                            .as("%s under %s", bind.line(), all)
                            .isTrue());
        }
    }

    private static boolean given(List<AccessRule> rules, AbsolutePath path) {
        return rules.stream().anyMatch(rule -> !rule.access().isBlock() && rule.covers(path));
    }
}
