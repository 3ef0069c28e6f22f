package dev.sandbox.testkit;

import dev.sandbox.domain.command.Command;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Harmless commands with hostile arguments. */
public final class CommandArbitraries {
    private CommandArbitraries() {}

    /**
     * A command that prints its arguments.
     *
     * @param command to be run, or to be handed on and compared
     * @param expected what it prints: each argument with a NUL behind it
     */
    public record Printing(Command command, String expected) {
        /** Prints these arguments by {@code printf}, of which there must be one at least. */
        public static Printing of(List<String> arguments) {
            List<String> argv = new ArrayList<>(List.of("printf", "%s\\0"));
            argv.addAll(arguments);
            return new Printing(Command.of(argv), expected(arguments));
        }

        /** The same by way of a shell. */
        public static Printing byShell(List<String> arguments) {
            return new Printing(Command.shell("printf '%s\\0' \"$@\"", arguments), expected(arguments));
        }

        private static String expected(List<String> arguments) {
            return String.join("\0", arguments) + "\0";
        }
    }

    /** An argument as somebody may write it: empty, an option, what a shell would take apart. No NUL. */
    public static Arbitrary<String> arguments() {
        return Arbitraries.oneOf(
                Arbitraries.of("x", "", "-c", "--json", "@x", "*", "a/../b", "a&b", "a|b", "a>b"),
                HostileNames.names());
    }

    /** Commands that print one to four arguments, with a shell and without. */
    public static Arbitrary<Printing> printing() {
        return Combinators.combine(
                        arguments().list().ofMinSize(1).ofMaxSize(4), Arbitraries.of(Boolean.FALSE, Boolean.TRUE))
                .as((arguments, shell) -> shell ? Printing.byShell(arguments) : Printing.of(arguments));
    }
}
