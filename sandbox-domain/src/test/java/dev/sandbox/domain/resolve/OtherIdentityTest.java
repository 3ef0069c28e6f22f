package dev.sandbox.domain.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.ImpliedGuarantees;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.policy.RunAs;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.testkit.FakeFileSystem;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OtherIdentityTest {
    private static final RunAs OWNER = new RunAs(OptionalLong.empty(), OptionalLong.empty());

    private final FakeFileSystem files = FakeFileSystem.linux();

    private ResolvedPolicy resolve(RunAs runAs) {
        SandboxPolicy policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of("/w"))
                .addWritePaths("out/deep")
                .workDir("out/deep")
                .runAs(runAs)
                .build();
        return PolicyResolver.resolve(policy, Host.standard(files));
    }

    private static RunAs uid(long uid) {
        return new RunAs(OptionalLong.of(uid), OptionalLong.empty());
    }

    @Test
    void rootMayNameAnybodyAndTheGroupIsTheSameNumberUnlessWritten() {
        assertThat(resolve(uid(1000)).runAs()).contains(new Identity(1000, 1000));
        assertThat(resolve(new RunAs(OptionalLong.of(1000), OptionalLong.of(100)))
                        .runAs())
                .contains(new Identity(1000, 100));
        assertThat(ImpliedGuarantees.of(resolve(uid(1000)))).contains(Guarantee.RUN_AS);
    }

    @Test
    void theOwnerOfAFolderThatIsStillToBeMadeIsThatOfTheOneAbove() {
        files.details().owner("/w", new Identity(1000, 100), 0755);
        assertThat(resolve(OWNER).runAs()).contains(new Identity(1000, 100));
    }

    @Test
    void whoNamesItselfAsksForNothing() {
        assertThat(resolve(uid(0)).runAs()).isEmpty();
        assertThat(resolve(OWNER).runAs()).isEmpty();
        files.details().caller(new Identity(1000, 100));
        files.details().owner("/w", new Identity(1000, 100), 0755);
        assertThat(resolve(uid(1000)).runAs()).isEmpty();
        assertThat(resolve(OWNER).runAs()).isEmpty();
        assertThat(ImpliedGuarantees.of(resolve(OWNER))).doesNotContain(Guarantee.RUN_AS);
    }

    @Test
    void anOrdinaryUserMayNameNobodyElse() {
        files.details().caller(new Identity(1000, 100));
        for (RunAs other :
                new RunAs[] {uid(0), uid(1001), OWNER, new RunAs(OptionalLong.of(1000), OptionalLong.of(0))}) {
            assertThatThrownBy(() -> resolve(other))
                    .isInstanceOf(PolicyInvalidException.class)
                    .hasMessageStartingWith("POLICY_INVALID: run_as: ")
                    .hasMessageContaining("is somebody else; this account is 1000:100; only root");
        }
    }
}
