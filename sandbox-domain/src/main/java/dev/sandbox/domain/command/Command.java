package dev.sandbox.domain.command;

import dev.sandbox.domain.problem.CommandInvalidException;
import java.util.Arrays;
import java.util.List;

/**
 * What to run: a program with its arguments, or a text for {@code /bin/sh -c}. The text is run as it is; nothing is stripped
 * or quoted; one of 128 KiB or more reaches the shell in pieces. Immutable, thread-safe.
 */
public final class Command {
    /** The shell that runs a text (POSIX sh). */
    public static final String SHELL = "/bin/sh";

    private final List<String> argv;
    private final String display;

    private Command(List<String> argv, String display) {
        this.argv = argv;
        this.display = display;
    }

    /**
     * A text for {@code /bin/sh -c}.
     *
     * @throws CommandInvalidException when the text is blank or holds a NUL
     */
    public static Command shell(String text) {
        return shell(text, List.of());
    }

    /**
     * A text for {@code /bin/sh -c} with arguments of its own, {@code $1} and so on.
     *
     * @throws CommandInvalidException when the text is blank, a part holds a NUL, or an argument is longer than Linux takes
     */
    public static Command shell(String text, List<String> arguments) {
        if (text.isBlank()) {
            throw new CommandInvalidException("the command is empty; give the text to run after -c");
        }
        String display = arguments.isEmpty() ? text : text + " -- " + String.join(" ", arguments);
        return new Command(checked(ShellText.argv(SHELL, text, arguments)), display);
    }

    /**
     * A program with its arguments, run without a shell. A program without a slash is looked up on the step's PATH.
     *
     * @throws CommandInvalidException when there is no program, its name is empty, a part holds a NUL, or one is longer than Linux takes
     */
    public static Command of(List<String> argv) {
        if (argv.isEmpty() || argv.get(0).isEmpty()) {
            throw new CommandInvalidException("the command is empty; give a program to run after --");
        }
        return new Command(checked(List.copyOf(argv)), String.join(" ", argv));
    }

    /** As {@link #of(List)}. */
    public static Command of(String program, String... arguments) {
        String[] argv = new String[arguments.length + 1];
        argv[0] = program;
        System.arraycopy(arguments, 0, argv, 1, arguments.length);
        return of(Arrays.asList(argv));
    }

    private static List<String> checked(List<String> argv) {
        for (int i = 0; i < argv.size(); i++) {
            if (argv.get(i).indexOf('\0') >= 0) {
                throw new CommandInvalidException("argument " + i + " contains a NUL character; remove it");
            }
            if (ShellText.utf8Length(argv.get(i)) > ShellText.LONGEST_ARGUMENT) {
                throw new CommandInvalidException("argument " + i + " is longer than " + ShellText.LONGEST_ARGUMENT
                        + " bytes, the most that Linux takes; hand it over in a file or on standard input");
            }
        }
        return argv;
    }

    /** The argument vector; never empty. */
    public List<String> argv() {
        return argv;
    }

    /** The program to execute: a path, or a bare name to look up on PATH. */
    public String program() {
        return argv.get(0);
    }

    /** The command as the user wrote it, for people and results. */
    public String display() {
        return display;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Command that && argv.equals(that.argv);
    }

    @Override
    public int hashCode() {
        return argv.hashCode();
    }

    @Override
    public String toString() {
        return display;
    }
}
