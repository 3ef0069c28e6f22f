package dev.sandbox.domain.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ProblemTest {
    @Test
    void aLineSaysWhereWhatAndWhatToDo() {
        assertThat(new Problem("read_paths[1]", "\"x\" is bad", "remove it").line())
                .isEqualTo("read_paths[1]: \"x\" is bad; remove it");
        assertThat(new Problem("", "is bad", "").line()).isEqualTo("is bad");
    }

    @Test
    void controlCharactersAreShownAndNotPrinted() {
        assertThat(Problem.oneLine("a\nb\r\t\u001b[31m\0\u0085é")).isEqualTo("a\\nb\\x0d\\x09\\x1b[31m\\x00\\x85é");
    }

    @Property
    void aLineIsNeverMoreThanOne(@ForAll String text) {
        assertThat(Problem.oneLine(text).chars()).noneMatch(Character::isISOControl);
    }

    @Test
    void anErrorNamesItsCodeAndAllItsProblems() {
        PolicyInvalidException error = new PolicyInvalidException(
                List.of(new Problem("a", "is bad", ""), new Problem("b", "is worse", "stop")));
        assertThat(error).hasMessage("POLICY_INVALID: a: is bad; also b: is worse; stop");
        assertThat(error.code()).isEqualTo(ProblemCode.POLICY_INVALID);
        assertThat(error.problems()).hasSize(2);
    }

    @Test
    void aCommandThatWasNotStartedHasAShellsCode() {
        assertThat(CommandNotStartedException.notFound("x", "is nowhere").exitCode())
                .isEqualTo(127);
        assertThat(CommandNotStartedException.notExecutable("x", "is not executable")
                        .exitCode())
                .isEqualTo(126);
    }
}
