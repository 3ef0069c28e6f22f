package dev.sandbox.domain.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.problem.CommandInvalidException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import net.jqwik.api.statistics.Statistics;

final class ShellTextPropertyTest {
    /** Without NUL and unpaired surrogates, of 1 to 4 bytes each. */
    private static final List<String> LETTERS = List.of("a", "ß", "€", "😀");

    @Property(tries = 50)
    void piecesMakeTheTextAndNoneIsTooLong(
            @ForAll @IntRange(min = 1, max = 400_000) int letters, @ForAll @StringLength(3) String salt) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < letters; i++) {
            text.append(LETTERS.get(Math.floorMod(salt.hashCode() + i * 7 / 3, LETTERS.size())));
        }
        List<String> argv = ShellText.argv("/bin/sh", text.toString(), List.of("one", "two"));
        assertThat(argv)
                .allSatisfy(part -> assertThat(part.getBytes(StandardCharsets.UTF_8))
                        .hasSizeLessThanOrEqualTo(ShellText.LONGEST_ARGUMENT));
        boolean cut = argv.get(2).startsWith("eval");
        Statistics.collect(cut ? "in pieces" : "whole");
        Statistics.coverage(coverage -> coverage.check("in pieces").percentage(p -> p > 5));
        assertThat(cut).isEqualTo(text.toString().getBytes(StandardCharsets.UTF_8).length > ShellText.LONGEST_ARGUMENT);
        assertThat(argv.get(3)).isEqualTo("/bin/sh");
        assertThat(argv.subList(argv.size() - 2, argv.size())).containsExactly("one", "two");
        assertThat(cut ? String.join("", argv.subList(4, argv.size() - 2)) : argv.get(2))
                .isEqualTo(text.toString());
    }

    @Example
    void anArgumentThatLinuxDoesNotTakeIsRefusedWithTheLimit() {
        assertThat(Command.of("echo", "x".repeat(131_071)).argv()).hasSize(2);
        assertThatThrownBy(() -> Command.of("echo", "x".repeat(131_072)))
                .isInstanceOf(CommandInvalidException.class)
                .hasMessageContaining("131071");
        assertThatThrownBy(() -> Command.of("echo", "ß".repeat(65_536))).isInstanceOf(CommandInvalidException.class);
        assertThatThrownBy(() -> Command.shell("true", List.of("x".repeat(131_072))))
                .isInstanceOf(CommandInvalidException.class);
    }
}
