package dev.sandbox.linux.landlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.resolve.Access;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Laws of the rights that a rule may carry, on no kernel at all. */
final class GrantRightsPropertyTest {
    @Property
    void theKernelTakesThemOnThatKindAndAbi(
            @ForAll("grants") Access access, @ForAll EntryKind kind, @ForAll @IntRange(min = 1, max = 12) int abi) {
        LandlockAbi wanted = LandlockAbi.of(abi);

        assertThat(FsRight.of(wanted)).containsAll(GrantRights.of(access, kind, wanted));
        if (kind != EntryKind.DIRECTORY) {
            assertThat(GrantRights.of(access, kind, wanted)).allMatch(FsRight::appliesToFiles);
        }
    }

    @Property
    void anOlderAbiGivesASubset(
            @ForAll("grants") Access access, @ForAll EntryKind kind, @ForAll @IntRange(min = 2, max = 12) int abi) {
        assertThat(GrantRights.of(access, kind, LandlockAbi.of(abi)))
                .containsAll(GrantRights.of(access, kind, LandlockAbi.of(abi - 1)));
    }

    @Property
    void noDeviceNodeIsEverMade(
            @ForAll("grants") Access access, @ForAll EntryKind kind, @ForAll @IntRange(min = 1, max = 12) int abi) {
        assertThat(GrantRights.of(access, kind, LandlockAbi.of(abi)))
                .doesNotContain(FsRight.MAKE_BLOCK, FsRight.MAKE_CHAR);
    }

    @Property
    void onlyWriteGrantsAndDevicesMayWrite(@ForAll("grants") Access access, @ForAll EntryKind kind) {
        assertThat(GrantRights.of(access, kind, LandlockAbi.of(LandlockAbi.NEWEST_KNOWN))
                        .contains(FsRight.WRITE_FILE))
                .isEqualTo(access == Access.WRITE || access == Access.DEVICE);
    }

    /** As in a mount namespace, where a read-only mount forbids nobody to connect. */
    @Property
    void aSocketInAGrantIsSpokenTo(@ForAll("grants") Access access, @ForAll EntryKind kind) {
        assertThat(GrantRights.of(access, kind, LandlockAbi.of(LandlockAbi.UNIX_SOCKETS))
                        .contains(FsRight.RESOLVE_UNIX))
                .isEqualTo(access == Access.READ || access == Access.WRITE);
    }

    @Property
    void aBlockIsNoRule(@ForAll("blocks") Access block, @ForAll EntryKind kind) {
        assertThatThrownBy(() -> GrantRights.of(block, kind, LandlockAbi.of(7)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Provide
    Arbitrary<Access> grants() {
        return Arbitraries.of(Access.READ, Access.WRITE, Access.LIST, Access.DEVICE);
    }

    @Provide
    Arbitrary<Access> blocks() {
        return Arbitraries.of(Access.BLOCKED, Access.BLOCKED_WRITE);
    }
}
