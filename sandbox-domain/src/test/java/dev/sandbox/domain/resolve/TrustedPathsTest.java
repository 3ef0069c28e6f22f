package dev.sandbox.domain.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.ImpliedGuarantees;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TrustHandoff;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.verdict.AccessOracle;
import dev.sandbox.domain.verdict.Operation;
import dev.sandbox.domain.verdict.Verdict;
import dev.sandbox.testkit.FakeFileSystem;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedPathsTest {
    private final FakeFileSystem files = FakeFileSystem.linux().directory("/w/p/src");

    private ResolvedPolicy resolve(UnaryOperator<SandboxPolicy.Builder> change) {
        SandboxPolicy.Builder policy =
                SandboxPolicy.builder().baseDir(AbsolutePath.of("/w")).addWritePaths("p");
        return PolicyResolver.resolve(change.apply(policy).build(), Host.standard(files));
    }

    private static List<String> blocked(ResolvedPolicy policy) {
        return policy.rules().stream()
                .filter(AccessRule::isTrustHandoff)
                .map(rule -> rule.path().toString())
                .toList();
    }

    private FakeFileSystem repository(String folder) {
        return files.file(folder + "/HEAD").file(folder + "/config").directory(folder + "/hooks");
    }

    @Test
    void theListIsExactlyThis() {
        assertThat(TrustedNames.DEFAULT)
                .contains(".git/hooks", ".git/config", ".envrc", ".vscode", ".idea", ".claude", ".mcp.json", ".bashrc")
                .hasSize(26);
    }

    static List<String> names() {
        return TrustedNames.DEFAULT;
    }

    @ParameterizedTest
    @MethodSource("names")
    void eachNameIsBlockedWhereItStandsAndWatchedWhereItDoesNot(String name) {
        AbsolutePath path = AbsolutePath.of("/w/p/" + name);
        assertThat(blocked(resolve(b -> b))).isEmpty();
        assertThat(resolve(b -> b).watched()).contains(path);
        files.file(path.toString());

        assertThat(blocked(resolve(b -> b))).containsExactly(path.toString());
        assertThat(blocked(resolve(b ->
                        b.trustHandoff(TrustHandoff.builder().addRemove(name).build()))))
                .isEmpty();
        assertThat(resolve(b -> b.trustHandoff(TrustHandoff.builder()
                                .protect(TrustHandoff.Protection.NONE)
                                .build()))
                        .watched())
                .isEmpty();
    }

    @Test
    void itIsSoftSoNoBackendIsRefusedForIt() {
        repository("/w/p/.git");
        assertThat(ImpliedGuarantees.of(resolve(b -> b))).doesNotContain(Guarantee.FS_CARVE_OUT);
        assertThat(blocked(resolve(b -> b).withoutTrustRules())).isEmpty();
        assertThat(resolve(b -> b).withoutTrustRules().watched()).isNotEmpty();
    }

    @Test
    void theFoldersBetweenAGrantAndWorkDirAreLookedInToo() {
        files.file("/w/p/.envrc").file("/w/p/src/.envrc").file("/w/p/src/deep/.envrc");
        assertThat(blocked(resolve(b -> b.workDir("p/src")))).containsExactly("/w/p/.envrc", "/w/p/src/.envrc");
        assertThat(blocked(resolve(b -> b.readPaths(List.of("."))))).containsExactly("/w/p/.envrc");
    }

    @Test
    void aWriteGrantForSuchAPathOrInsideLiftsItsProtection() {
        repository("/w/p/.git").file("/w/p/.claude/agents/a");
        assertThat(blocked(resolve(b -> b.addWritePaths("p/.git/hooks", "p/.claude/agents"))))
                .containsExactly("/w/p/.git/config");
        assertThat(blocked(resolve(b -> b.workDir("p/.claude")))).doesNotContain("/w/p/.claude");
    }

    @Test
    void aWorktreesPointerIsFollowedToItsOwnFolderAndToTheCommonOne() {
        repository("/w/p/main/.git")
                .file("/w/p/main/.git/worktrees/x/commondir")
                .file("/w/p/wt/.git");
        files.details().text("/w/p/wt/.git", "gitdir: ../main/.git/worktrees/x\n");
        files.details().text("/w/p/main/.git/worktrees/x/commondir", "../..\n");

        assertThat(blocked(resolve(b -> b.workDir("p/wt"))))
                .containsExactly(
                        "/w/p/main/.git/config",
                        "/w/p/main/.git/hooks",
                        "/w/p/main/.git/worktrees/x/commondir",
                        "/w/p/wt/.git");
    }

    @Test
    void aPointerOutOfTheGrantsNeedsNoRuleThere() {
        repository("/x/repo/.git").file("/w/p/.git");
        files.details().text("/w/p/.git", "gitdir: /x/repo/.git\n");
        assertThat(blocked(resolve(b -> b))).containsExactly("/w/p/.git");
    }

    @Test
    void submodulesHaveHooksOfTheirOwnAlsoThoseWithASlashInTheirName() {
        repository("/w/p/.git");
        repository("/w/p/.git/modules/one");
        repository("/w/p/.git/modules/lib/two");
        assertThat(blocked(resolve(b -> b)))
                .contains("/w/p/.git/modules/one/hooks", "/w/p/.git/modules/lib/two/config")
                .hasSize(6);
    }

    @Test
    void ofALinkTheTargetIsBlockedWhenItIsGrantedAndTheLinkIsWatched() {
        files.file("/w/p/shared/settings").symlink("/w/p/.vscode", "shared").symlink("/w/p/.idea", "/x");
        ResolvedPolicy policy = resolve(b -> b);
        assertThat(blocked(policy)).containsExactly("/w/p/shared");
        assertThat(policy.watched()).contains(AbsolutePath.of("/w/p/.vscode"), AbsolutePath.of("/w/p/.idea"));
    }

    @Test
    void theOracleNamesTheRuleAndTheWayOut() {
        repository("/w/p/.git");
        AccessOracle oracle = new AccessOracle(resolve(b -> b), Host.standard(files));
        Verdict verdict = oracle.decide(AbsolutePath.of("/w/p/.git/hooks/pre-commit"), Operation.CREATE);
        assertThat(verdict.isAllowed()).isFalse();
        assertThat(verdict.reason()).isEqualTo("blocked by trust_handoff \".git/hooks\"");
        assertThat(verdict.fix()).isEqualTo("trust_handoff: {remove: [.git/hooks]}");
        assertThat(oracle.allows(AbsolutePath.of("/w/p/.git/index"), Operation.WRITE))
                .isTrue();
        assertThat(oracle.allows(AbsolutePath.of("/w/p/.git/hooks"), Operation.READ))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/x", "../x", ".", "a/../b"})
    void aNameThatIsNoneIsRefused(String name) {
        assertThatThrownBy(() -> resolve(
                        b -> b.trustHandoff(TrustHandoff.builder().addAdd(name).build())))
                .isInstanceOf(PolicyInvalidException.class)
                .hasMessageContaining("trust_handoff.add[0]: \"" + name + "\" is no name inside a write grant");
    }

    @Test
    void aNameToRemoveThatIsNotInTheListIsRefused() {
        assertThatThrownBy(() -> resolve(b -> b.trustHandoff(
                        TrustHandoff.builder().addRemove(".git/hook").build())))
                .isInstanceOf(PolicyInvalidException.class)
                .hasMessageContaining("trust_handoff.remove[0]: \".git/hook\" is not in the list");
    }

    @Test
    void theWatchTellsWhatChangedOnceAndOfAFolderTheEntry() {
        files.file("/w/p/.git/hooks/pre-push").file("/w/p/.bashrc");
        TrustWatch watch = new TrustWatch(files, resolve(b -> b));
        assertThat(watch.changes()).isEmpty();

        files.file("/w/p/.git/hooks/pre-commit").file("/w/p/.vscode/tasks.json");
        files.details().touch("/w/p/.git/hooks");
        files.details().touch("/w/p/.git/hooks/pre-push");
        files.remove(AbsolutePath.of("/w/p/.bashrc"));

        assertThat(watch.changes())
                .containsExactly(
                        "changed by the step: /w/p/.bashrc was removed",
                        "changed by the step: /w/p/.git/hooks/pre-commit: look at it before you use this folder",
                        "changed by the step: /w/p/.git/hooks/pre-push: look at it before you use this folder",
                        "changed by the step: /w/p/.vscode: look at it before you use this folder");
        assertThat(watch.changes()).isEmpty();
    }
}
