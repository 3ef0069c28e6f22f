package dev.sandbox.domain.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.testkit.FakeBackend;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BackendSelectorTest {
    private static final Set<Guarantee> PLAIN = EnumSet.of(Guarantee.FS_READ, Guarantee.FS_WRITE);
    private static final Set<Guarantee> CARVED =
            EnumSet.of(Guarantee.FS_READ, Guarantee.FS_WRITE, Guarantee.FS_CARVE_OUT);

    private final FakeBackend landlock = FakeBackend.holding(BackendName.LANDLOCK, PLAIN);
    private final FakeBackend mountns = FakeBackend.holdingAll(BackendName.MOUNTNS);
    private final FakeBackend docker = FakeBackend.holding(BackendName.DOCKER, List.of());

    @Test
    void theFirstThatHasAllIsTakenAndThoseBehindItAreNotAsked() {
        assertThat(BackendSelector.select(List.of(landlock, mountns), Optional.empty(), PLAIN))
                .isSameAs(landlock);
        assertThat(mountns.assessments()).isZero();
    }

    @Test
    void aNestedBlockGoesPastLandlockToMountNamespaces() {
        assertThat(BackendSelector.select(List.of(landlock, mountns), Optional.empty(), CARVED))
                .isSameAs(mountns);
    }

    @Test
    void theOrderGivenIsRespected() {
        assertThat(BackendSelector.select(List.of(mountns, landlock), Optional.empty(), PLAIN))
                .isSameAs(mountns);
    }

    @Test
    void aWantedBackendIsTakenOutOfTurn() {
        assertThat(BackendSelector.select(List.of(landlock, mountns), Optional.of(BackendName.MOUNTNS), PLAIN))
                .isSameAs(mountns);
        assertThat(landlock.assessments()).isZero();
    }

    @Test
    void aWantedBackendThatLacksSomethingIsRefusedAlthoughAnotherCould() {
        assertThatThrownBy(() ->
                        BackendSelector.select(List.of(landlock, mountns), Optional.of(BackendName.LANDLOCK), CARVED))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessage("SANDBOX_UNAVAILABLE: landlock: lacks fs.carve_out (no fs.carve_out here);"
                        + " install fs.carve_out");
        assertThat(mountns.assessments()).isZero();
    }

    @Test
    void aRefusalNamesEveryBackendAndAllThatItLacks() {
        assertThatThrownBy(() -> BackendSelector.select(List.of(landlock, docker), Optional.empty(), CARVED))
                .hasMessageContainingAll(
                        "landlock: lacks fs.carve_out", "docker: lacks fs.read", "fs.write", "install fs.read");
    }

    @Test
    void whatIsNotInstalledIsRefused() {
        assertThatThrownBy(() -> BackendSelector.select(List.of(landlock), Optional.of(BackendName.DOCKER), PLAIN))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("docker is not part of this installation");
        assertThatThrownBy(() -> BackendSelector.select(List.of(), Optional.empty(), PLAIN))
                .isInstanceOf(SandboxUnavailableException.class);
    }

    @Test
    void aGuaranteeThatABackendDoesNotSpeakOfIsMissing() {
        BackendAssessment silent = new BackendAssessment(BackendName.LANDLOCK, "", Map.of());
        assertThat(silent.missing(PLAIN)).containsExactlyInAnyOrderElementsOf(PLAIN);
        assertThat(silent.isUsable()).isFalse();
    }

    @Test
    void anUnusableBackendHoldsNothing() {
        BackendAssessment none = BackendAssessment.unusable(BackendName.DOCKER, "no engine", "start dockerd");
        assertThat(none.held()).isEmpty();
        assertThat(none.missing(EnumSet.allOf(Guarantee.class))).hasSize(Guarantee.values().length);
        assertThat(none.promise(Guarantee.NET_NONE).remedy()).isEqualTo("start dockerd");
    }

    @Test
    void aBackendThatLeavesARuntimesSocketInReachIsPassedOverAndThatIsTold() {
        FakeBackend open = FakeBackend.holding(BackendName.LANDLOCK, PLAIN);
        FakeBackend hiding = FakeBackend.holdingAll(BackendName.MOUNTNS);
        Optional<AbsolutePath> exposed = Optional.of(AbsolutePath.of("/run/docker.sock"));

        BackendSelector.Choice choice = BackendSelector.choose(List.of(open, hiding), Optional.empty(), PLAIN, exposed);

        assertThat(choice.backend()).isSameAs(hiding);
        assertThat(choice.notes()).singleElement().asString().contains("landlock", "/run/docker.sock", "passed over");
        assertThatThrownBy(() -> BackendSelector.choose(List.of(open), Optional.empty(), PLAIN, exposed))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("/run/docker.sock")
                .hasMessageContaining("unix.scope");
        assertThat(BackendSelector.choose(List.of(open, hiding), Optional.empty(), PLAIN, Optional.empty())
                        .backend())
                .isSameAs(open);
    }
}
