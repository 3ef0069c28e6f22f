package dev.sandbox.linux.seccomp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.linux.seccomp.Filters.Call;
import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Seccomp;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class InitFilterTest {
    private static final int X32_BIT = 0x40000000;

    private static int[] allowed(Architecture architecture, int arch) {
        BpfProgram program = InitFilter.program(architecture);
        return IntStream.concat(IntStream.range(-1000, 1000), IntStream.range(X32_BIT - 1, X32_BIT + 1000))
                .filter(nr -> {
                    int verdict = Filters.verdict(program, new Call(arch, nr));
                    assertThat(verdict).isIn(Seccomp.SECCOMP_RET_ALLOW, Seccomp.SECCOMP_RET_KILL_PROCESS);
                    return verdict == Seccomp.SECCOMP_RET_ALLOW;
                })
                .toArray();
    }

    @Test
    void fourCallsAreAllowedAndNoOther() {
        assertThat(allowed(Architecture.X86_64, Architecture.X86_64.auditArch()))
                .as("read, rt_sigaction, exit, execveat")
                .containsExactly(0, 13, 60, 322);
        assertThat(allowed(Architecture.AARCH64, Architecture.AARCH64.auditArch()))
                .as("read, exit, rt_sigaction, execveat")
                .containsExactly(63, 93, 134, 281);
    }

    @ParameterizedTest
    @EnumSource
    void nothingOfAnotherArchitectureIsAllowed(Architecture architecture) {
        for (int foreign : new int[] {0x40000003, 0x40000028, 0, ~architecture.auditArch()}) {
            assertThat(allowed(architecture, foreign)).isEmpty();
        }
    }
}
