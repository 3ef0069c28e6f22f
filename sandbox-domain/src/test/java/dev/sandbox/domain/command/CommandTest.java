package dev.sandbox.domain.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.problem.CommandInvalidException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTest {
    @Test
    void aTextIsGivenToTheShellAsItIs() {
        Command command = Command.shell("sh -c 'echo  hi' \n");
        assertThat(command.argv()).containsExactly("/bin/sh", "-c", "sh -c 'echo  hi' \n");
        assertThat(command.program()).isEqualTo("/bin/sh");
        assertThat(command.display()).isEqualTo("sh -c 'echo  hi' \n");
    }

    @Test
    void aProgramKeepsItsArgumentsEmptyOnesToo() {
        assertThat(Command.of("printf", "", "a b").argv()).containsExactly("printf", "", "a b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\t"})
    void anEmptyTextIsRefused(String text) {
        assertThatThrownBy(() -> Command.shell(text))
                .isInstanceOf(CommandInvalidException.class)
                .hasMessageStartingWith("COMMAND_INVALID: the command is empty");
    }

    @Test
    void noProgramAndAnEmptyProgramAreRefused() {
        assertThatThrownBy(() -> Command.of(List.of())).isInstanceOf(CommandInvalidException.class);
        assertThatThrownBy(() -> Command.of("", "x")).isInstanceOf(CommandInvalidException.class);
    }

    @Test
    void aNulAnywhereIsRefusedAndNotShownRaw() {
        assertThatThrownBy(() -> Command.of("ls", "a\0b"))
                .isInstanceOf(CommandInvalidException.class)
                .hasMessageContaining("argument 1 contains a NUL");
        assertThatThrownBy(() -> Command.shell("echo \0")).isInstanceOf(CommandInvalidException.class);
    }

    @Test
    void theCallersListIsCopied() {
        List<String> argv = new ArrayList<>(List.of("ls"));
        Command command = Command.of(argv);
        argv.add("-l");
        assertThat(command.argv()).containsExactly("ls");
        assertThat(command).isEqualTo(Command.of("ls")).hasSameHashCodeAs(Command.of("ls"));
    }
}
