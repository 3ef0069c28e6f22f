package dev.sandbox.linux.seccomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.linux.seccomp.Filters.Call;
import dev.sandbox.linux.uapi.Seccomp;
import org.junit.jupiter.api.Test;

final class BpfAssemblerTest {
    private static final int ALLOW = Seccomp.SECCOMP_RET_ALLOW;
    private static final int KILL = Seccomp.SECCOMP_RET_KILL_PROCESS;

    @Test
    void disassemblyNamesTargetsByLine() {
        BpfAssembler assembler = new BpfAssembler();
        int no = assembler.ret(KILL);
        int yes = assembler.ret(ALLOW);
        int equal = assembler.and(0xff, assembler.ifEqual(7, yes, no));
        BpfProgram program = assembler.program(assembler.load(4, assembler.ifAnyBit(0x10, equal, no)));
        assertThat(program.disassemble()).isEqualTo("""
                0: ld [4]
                1: jset 0x10, 2, 5
                2: and 0xff
                3: jeq 0x7, 4, 5
                4: ret 0x7fff0000
                5: ret 0x80000000
                """);
        assertThat(program.encode()).hasSize(program.length() * 8);
    }

    @Test
    void whatIsThereAlreadyIsNotWrittenAgain() {
        BpfAssembler assembler = new BpfAssembler();
        int one = assembler.ifEqual(1, assembler.ret(ALLOW), assembler.ret(KILL));
        assertThat(assembler.ifEqual(1, assembler.ret(ALLOW), assembler.ret(KILL)))
                .isEqualTo(one);
        assertThat(assembler.ifEqual(2, one, one)).isEqualTo(one);
        assertThat(assembler.program(assembler.load(0, one)).length()).isEqualTo(4);
    }

    /** Each number from 1 on has a verdict and a test of its own, so that what comes first is far from what comes last. */
    @Test
    void pathsThatAreFarApartMeetAllTheSame() {
        BpfAssembler assembler = new BpfAssembler();
        int argument = assembler.load(16, assembler.ifEqual(1, assembler.ret(ALLOW), assembler.ret(KILL)));
        int next = assembler.ret(KILL);
        for (int number = 1000; number > 0; number--) {
            next = assembler.ifEqual(number, number % 7 == 0 ? argument : assembler.ret(number), next);
        }
        BpfProgram program = assembler.program(assembler.load(0, next));
        for (int number = 1; number <= 1000; number++) {
            assertThat(Filters.verdict(program, new Call(0, number, 1))).isEqualTo(number % 7 == 0 ? ALLOW : number);
            assertThat(Filters.verdict(program, new Call(0, number, 2))).isEqualTo(number % 7 == 0 ? KILL : number);
        }
        assertThat(Filters.verdict(program, new Call(0, 1001, 1))).isEqualTo(KILL);
        assertThat(program.disassemble()).contains(": ja ");
    }

    @Test
    void programsThatTheKernelWouldRefuseAreRefused() {
        assertThatThrownBy(() -> new BpfAssembler().program(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new BpfAssembler().load(0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> {
                    BpfAssembler assembler = new BpfAssembler();
                    int unused = assembler.ret(1);
                    assembler.ret(2);
                    assembler.program(unused);
                })
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> {
                    BpfAssembler assembler = new BpfAssembler();
                    int last = assembler.ret(0);
                    for (int i = 0; i < 5000; i++) {
                        last = assembler.and(i, last);
                    }
                    assembler.program(last);
                })
                .hasMessageContaining("5001 instructions");
    }
}
