package dev.sandbox.linux.seccomp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.policy.UserNamespaces;
import dev.sandbox.linux.seccomp.FilterSettings.Network;
import dev.sandbox.linux.seccomp.FilterSettings.UnixSockets;
import dev.sandbox.linux.seccomp.Filters.Call;
import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Seccomp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IntSummaryStatistics;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The programs of the real table. {@code -Dgolden.update=true} writes the listings anew. */
final class FilterCompilerTest {
    private static final Path GOLDEN = Path.of("src/test/resources/seccomp");
    private static final int ALLOW = Seccomp.SECCOMP_RET_ALLOW;
    private static final FilterSettings CLOSED =
            new FilterSettings(Network.CLOSED, UnixSockets.OPEN, UserNamespaces.DENY);
    private static final FilterSettings TCP = new FilterSettings(Network.TCP, UnixSockets.OPEN, UserNamespaces.DENY);
    private static final FilterSettings PAIRS =
            new FilterSettings(Network.OPEN, UnixSockets.PAIRS, UserNamespaces.DENY);

    private static int errno(FilterSettings settings, int nr, long... arguments) {
        int verdict = Filters.verdict(
                new SyscallFilter(settings).program(Architecture.X86_64), Call.on(Architecture.X86_64, nr, arguments));
        return verdict == ALLOW ? 0 : verdict ^ Seccomp.SECCOMP_RET_ERRNO;
    }

    @ParameterizedTest
    @EnumSource
    void programIsTheOneThatWasReviewed(Architecture architecture) throws IOException {
        String listing = new SyscallFilter(Filters.USUAL).program(architecture).disassemble();
        Path golden = GOLDEN.resolve(architecture.name().toLowerCase(Locale.ROOT) + ".txt");
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(golden, listing);
        }
        assertThat(listing).isEqualTo(Files.readString(golden));
    }

    /** The kernel asks for each number when a filter is installed: their sum is what a spawn pays. */
    @ParameterizedTest
    @EnumSource
    void everyFilterIsShortAndSoAreItsPaths(Architecture architecture) {
        for (Network network : Network.values()) {
            for (UnixSockets unix : UnixSockets.values()) {
                BpfProgram program =
                        new SyscallFilter(new FilterSettings(network, unix, UserNamespaces.DENY)).program(architecture);
                assertThat(program.length()).isLessThan(200);
                IntSummaryStatistics paths = IntStream.range(0, 470)
                        .map(nr -> Filters.run(program, Call.on(architecture, nr, 0, 0, 0, 0, 0, 0))
                                .instructions())
                        .summaryStatistics();
                assertThat(paths.getAverage()).isLessThan(10);
                assertThat(paths.getMax()).isLessThan(20);
            }
        }
    }

    /** exit, openat, futex, memfd_create, execve, a 64-bit number: what programs live by. */
    @ParameterizedTest
    @CsvSource({"0", "1", "59", "60", "202", "257", "319", "334", "424", "439", "451", "548", "600"})
    void ordinaryCallsAreAllowed(int nr) {
        assertThat(errno(CLOSED, nr)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1,1,0", "2,1,0", "2,2,17", "10,1,6", "2,524289,0", "16,3,0", "16,524291,0"})
    void openNetworkHasTheOrdinarySockets(long domain, long type, long protocol) {
        assertThat(errno(Filters.USUAL, 41, domain, type, protocol)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"16,3,9", "16,3,16", "17,3,0", "38,5,0", "40,1,0", "43,1,0", "0,1,0", "-1,1,0", "4294967336,1,0"})
    void rareFamiliesAndOtherNetlinkAreNotPermitted(long domain, long type, long protocol) {
        assertThat(errno(Filters.USUAL, 41, domain, type, protocol)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"41,2", "41,10", "41,0", "41,16", "41,17", "41,4294967298", "53,2", "53,30"})
    void closedNetworkHasUnixSocketsOnly(int nr, long domain) {
        assertThat(errno(CLOSED, nr, domain, 1, 0)).isEqualTo(13);
        assertThat(errno(CLOSED, nr, 1, 1, 0)).isZero();
        assertThat(errno(CLOSED, nr, 0x7_0000_0001L, 1, 0))
                .as("the kernel takes an int")
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({"1,0", "1,6", "526337,6", "4294967297,4294967296"})
    void tcpNetworkHasPlainTcp(long type, long protocol) {
        assertThat(errno(TCP, 41, 2, type, protocol)).isZero();
        assertThat(errno(TCP, 41, 10, type, protocol)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"2,0", "2,17", "3,6", "3,255", "5,132", "1,132", "1,262", "1,256", "524290,0"})
    void tcpNetworkHasNoOtherInternetSocket(long type, long protocol) {
        assertThat(errno(TCP, 41, 2, type, protocol)).isEqualTo(13);
        assertThat(errno(TCP, 41, 10, type, protocol)).isEqualTo(13);
    }

    @Test
    void tcpNetworkConnectsByConnectAlone() {
        assertThat(errno(TCP, 44, 3, 0, 0, 0x20004000L, 0, 0)).isEqualTo(1);
        assertThat(errno(TCP, 46, 3, 0, 0x20000000L)).isEqualTo(1);
        assertThat(errno(TCP, 307, 3, 0, 1, 0x20000000L)).isEqualTo(1);
        assertThat(errno(TCP, 44, 3, 0, 0, 0x4000L, 0, 0)).isZero();
        assertThat(errno(TCP, 54, 3, 6, 31)).isEqualTo(1);
        assertThat(errno(TCP, 54, 3, 6, 1)).isZero();
        assertThat(errno(TCP, 54, 3, 1, 31)).isZero();
        assertThat(errno(Filters.USUAL, 44, 3, 0, 0, 0x20000000L, 0, 0)).isZero();
    }

    @Test
    void requiredUnixScopeLeavesPairsOfStreams() {
        assertThat(errno(PAIRS, 41, 1, 1, 0)).isEqualTo(13);
        assertThat(errno(PAIRS, 41, 2, 1, 0)).isZero();
        assertThat(errno(PAIRS, 53, 1, 1, 0)).isZero();
        assertThat(errno(PAIRS, 53, 1, 0x80805, 0)).isZero();
        assertThat(errno(PAIRS, 53, 1, 2, 0)).isEqualTo(13);
        assertThat(errno(PAIRS, 53, 1, 0x80003, 0)).isEqualTo(13);
    }

    @Test
    void terminalRequestsAreComparedByTheirLowHalf() {
        assertThat(errno(Filters.USUAL, 16, 0, 0x5412)).isEqualTo(1);
        assertThat(errno(Filters.USUAL, 16, 0, 0x1_0000_5412L)).isEqualTo(1);
        assertThat(errno(Filters.USUAL, 16, 0, 0xffff_ffff_0000_541cL)).isEqualTo(1);
        assertThat(errno(Filters.USUAL, 16, 0, 0x5413)).isZero();
    }

    @Test
    void userNamespacesAreDeniedUnlessThePolicyAllowsThem() {
        assertThat(errno(Filters.USUAL, 56, 0x10000011L)).isEqualTo(1);
        assertThat(errno(Filters.USUAL, 56, 0xf_7e00_0011L)).isEqualTo(1);
        assertThat(errno(Filters.USUAL, 272, 0x10020000L)).isEqualTo(1);
        assertThat(errno(Filters.USUAL, 56, 0x3d0f00L)).as("a thread").isZero();
        assertThat(errno(Filters.USUAL, 272, 0x400L)).isZero();
        assertThat(errno(Filters.USUAL, 435)).isEqualTo(38);
        FilterSettings allowed = new FilterSettings(Network.OPEN, UnixSockets.OPEN, UserNamespaces.ALLOW);
        for (int nr : new int[] {56, 272, 435, 308, 165, 161}) {
            assertThat(errno(allowed, nr, 0x10000011L)).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"1073741824", "1073741865", "-1", "512", "514", "547"})
    void x32DoesNotExist(int nr) {
        assertThat(errno(Filters.USUAL, nr, 1)).isEqualTo(38);
    }

    @ParameterizedTest
    @EnumSource
    void foreignArchitectureIsKilled(Architecture architecture) {
        BpfProgram program = new SyscallFilter(Filters.USUAL).program(architecture);
        for (int foreign : new int[] {0x40000003, 0x40000028, 0, ~architecture.auditArch()}) {
            assertThat(Filters.verdict(program, new Call(foreign, 1, 1))).isEqualTo(Seccomp.SECCOMP_RET_KILL_PROCESS);
        }
    }
}
