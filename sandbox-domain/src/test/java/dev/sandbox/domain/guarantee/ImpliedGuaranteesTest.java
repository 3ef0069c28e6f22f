package dev.sandbox.domain.guarantee;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.ProcAccess;
import dev.sandbox.domain.policy.RunAs;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.PolicyResolver;
import dev.sandbox.testkit.FakeFileSystem;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ImpliedGuaranteesTest {
    private static Set<Guarantee> implied(UnaryOperator<SandboxPolicy.Builder> change) {
        FakeFileSystem files = FakeFileSystem.linux().directory("/w/src").directory("/data");
        SandboxPolicy policy = change.apply(SandboxPolicy.builder().baseDir(AbsolutePath.of("/w")))
                .build();
        return ImpliedGuarantees.of(PolicyResolver.resolve(policy, Host.standard(files)));
    }

    private static Arguments implies(UnaryOperator<SandboxPolicy.Builder> change, Guarantee... more) {
        Set<Guarantee> expected = new TreeSet<>(Set.of(more));
        expected.addAll(Set.of(Guarantee.FS_READ, Guarantee.FS_WRITE));
        return Arguments.of(expected, change);
    }

    private static Limits limits(UnaryOperator<Limits.Builder> change) {
        return change.apply(Limits.builder()).build();
    }

    static Stream<Arguments> cases() {
        return Stream.of(
                implies(b -> b),
                implies(b -> b.addReadPaths(".").addWritePaths("src")),
                implies(b -> b.addReadPaths(".").addBlockedPaths("src"), Guarantee.FS_CARVE_OUT),
                implies(b -> b.addReadPaths(".").addBlockedPaths("later"), Guarantee.FS_CARVE_OUT),
                implies(b -> b.addWritePaths(".").addBlockedWritePaths("src"), Guarantee.FS_CARVE_OUT),
                implies(b -> b.addReadPaths(".").addBlockedWritePaths("src")),
                implies(b -> b.addReadPaths(".").addBlockedPaths("/data")),
                implies(b -> b.addBlockedPaths("/etc/passwd"), Guarantee.FS_CARVE_OUT),
                implies(b -> b.addBlockedWritePaths("/dev/null"), Guarantee.FS_CARVE_OUT),
                implies(b -> b.proc(ProcAccess.SELF)),
                implies(b -> b.proc(ProcAccess.ALL)),
                implies(b -> b.tmp(TmpMode.PRIVATE), Guarantee.TMP_PRIVATE),
                implies(b -> b.tmp(TmpMode.HOST)),
                implies(b -> b.runAs(new RunAs(OptionalLong.of(1), OptionalLong.empty())), Guarantee.RUN_AS),
                implies(b -> b.network(NetworkPolicy.none()), Guarantee.NET_NONE),
                implies(
                        b -> b.network(NetworkPolicy.builder()
                                .mode(NetworkPolicy.Mode.TCP)
                                .addTcpConnect(443)
                                .build()),
                        Guarantee.NET_TCP),
                implies(
                        b -> b.network(NetworkPolicy.builder()
                                .mode(NetworkPolicy.Mode.DOMAINS)
                                .addDomains("pypi.org")
                                .build()),
                        Guarantee.NET_DOMAINS),
                implies(b -> b.limits(limits(l -> l.memory(1))), Guarantee.LIMIT_MEMORY),
                implies(b -> b.limits(limits(l -> l.processes(1))), Guarantee.LIMIT_PROCESSES),
                implies(b -> b.limits(limits(l -> l.fileSize(1))), Guarantee.LIMIT_FILE_SIZE),
                implies(b -> b.limits(limits(l -> l.openFiles(1))), Guarantee.LIMIT_OPEN_FILES),
                implies(b ->
                        b.limits(limits(l -> l.timeout(Duration.ofSeconds(1)).output(1)))),
                implies(b -> b.addRequire(Guarantee.SIGNAL_SCOPE), Guarantee.SIGNAL_SCOPE));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void thePolicyImpliesExactly(Set<Guarantee> expected, UnaryOperator<SandboxPolicy.Builder> change) {
        assertThat(implied(change)).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void everyGuaranteeIsFoundByItsName() {
        for (Guarantee guarantee : Guarantee.values()) {
            assertThat(Guarantee.of(guarantee.id())).contains(guarantee);
            assertThat(guarantee.meaning()).isNotBlank();
        }
        assertThat(Guarantee.of("fs.everything")).isEmpty();
    }
}
