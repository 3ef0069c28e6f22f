package dev.sandbox.linux.seccomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.linux.uapi.Seccomp;
import org.junit.jupiter.api.Test;

final class BpfProgramTest {
    private static final int ALLOW = Seccomp.SECCOMP_RET_ALLOW;
    private static final int KILL = Seccomp.SECCOMP_RET_KILL_PROCESS;

    @Test
    void disassemblyNamesTargetsByLine() {
        BpfProgram program = BpfProgram.assembler()
                .load(4)
                .and(0xff)
                .jumpUnlessEqual(7, "no")
                .ret(ALLOW)
                .label("no")
                .ret(KILL)
                .assemble();
        assertThat(program.disassemble())
                .isEqualTo("0: ld [4]\n1: and 0xff\n2: jeq 0x7, 3, 4\n3: ret 0x7fff0000\n4: ret 0x80000000\n");
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
