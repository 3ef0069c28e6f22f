package dev.sandbox.linux.seccomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Seccomp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class BpfProgramTest {
    private static final int ALLOW = Seccomp.SECCOMP_RET_ALLOW;
    private static final int KILL = Seccomp.SECCOMP_RET_KILL_PROCESS;

    /** Runs the encoded program, as the kernel would. */
    private static int verdict(BpfProgram program, int arch, int nr, long argument) {
        ByteBuffer data = ByteBuffer.allocate(Seccomp.DATA_SIZE).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(Seccomp.NR, nr).putInt(Seccomp.ARCH, arch).putLong(Seccomp.ARGUMENTS, argument);
        ByteBuffer code = ByteBuffer.wrap(program.encode()).order(ByteOrder.LITTLE_ENDIAN);
        int accumulator = 0;
        int at = 0;
        while (true) {
            int base = at * 8;
            int k = code.getInt(base + 4);
            int whenTrue = code.get(base + 2) & 0xff;
            int whenFalse = code.get(base + 3) & 0xff;
            at++;
            switch (code.getShort(base)) {
                case 0x20 -> accumulator = data.getInt(k);
                case 0x15 -> at += accumulator == k ? whenTrue : whenFalse;
                case 0x35 -> at += Integer.compareUnsigned(accumulator, k) >= 0 ? whenTrue : whenFalse;
                case 0x06 -> {
                    return k;
                }
                default -> throw new AssertionError("code " + code.getShort(base));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0,2", "41,1", "53,1", "424,2", "428,2"})
    void ordinaryCallsAndUnixSocketsAreAllowed(int nr, long argument) {
        assertThat(verdict(SeccompPrograms.denyNetwork(Architecture.X86_64), 0xC000003E, nr, argument))
                .isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @CsvSource({
        "41,2,13", "41,10,13", "41,0,13", "41,16,13", "41,4294967298,13", "53,30,13",
        "425,0,1", "426,0,1", "427,0,1", "1073741865,2,38", "1073741824,1,38", "-1,0,38"
    })
    void forbiddenCallsGetTheirErrno(int nr, long argument, int errno) {
        assertThat(verdict(SeccompPrograms.denyNetwork(Architecture.X86_64), 0xC000003E, nr, argument))
                .isEqualTo(Seccomp.SECCOMP_RET_ERRNO | errno);
    }

    @Test
    void upperHalfOfTheDomainDoesNotCount() {
        assertThat(verdict(SeccompPrograms.denyNetwork(Architecture.X86_64), 0xC000003E, 41, 0x7_0000_0001L))
                .isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @EnumSource
    void foreignArchitectureIsKilled(Architecture architecture) {
        assertThat(verdict(SeccompPrograms.denyNetwork(architecture), 0x40000003, 41, 1))
                .isEqualTo(KILL);
    }

    @Test
    void arm64HasItsOwnNumbers() {
        BpfProgram program = SeccompPrograms.denyNetwork(Architecture.AARCH64);
        assertThat(verdict(program, 0xC00000B7, 198, 2)).isEqualTo(Seccomp.SECCOMP_RET_ERRNO | 13);
        assertThat(verdict(program, 0xC00000B7, 41, 2)).isEqualTo(ALLOW);
    }

    @Test
    void disassemblyNamesTargetsByLine() {
        BpfProgram program = BpfProgram.assembler()
                .load(4)
                .jumpUnlessEqual(7, "no")
                .ret(ALLOW)
                .label("no")
                .ret(KILL)
                .assemble();
        assertThat(program.disassemble())
                .isEqualTo("0: ld [4]\n1: jeq 0x7, 2, 3\n2: ret 0x7fff0000\n3: ret 0x80000000\n");
        assertThat(program.encode()).hasSize(program.length() * 8);
    }

    @Test
    void programsThatTheKernelWouldRefuseAreRefused() {
        assertThatThrownBy(() -> BpfProgram.assembler().assemble()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> BpfProgram.assembler().load(0).assemble()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() ->
                        BpfProgram.assembler().jumpIfEqual(1, "nowhere").ret(0).assemble())
                .hasMessageContaining("nowhere");
        assertThatThrownBy(() -> BpfProgram.assembler()
                        .label("back")
                        .jumpIfEqual(1, "back")
                        .ret(0)
                        .assemble())
                .hasMessageContaining("back");
        assertThatThrownBy(() -> BpfProgram.assembler().ret(0).label("end").label("end"))
                .hasMessageContaining("twice");
    }
}
