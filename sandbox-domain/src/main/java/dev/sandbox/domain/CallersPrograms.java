package dev.sandbox.domain;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.environment.EnvironmentPlan;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.path.Ownership;
import dev.sandbox.domain.path.PathResolution;
import dev.sandbox.domain.problem.CommandNotStartedException;
import dev.sandbox.domain.problem.ProblemCode;
import dev.sandbox.domain.resolve.ToolchainFinder;
import dev.sandbox.domain.verdict.AccessOracle;
import dev.sandbox.domain.verdict.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the caller would have run: tells of a program on the caller's PATH that no grant covers, be it that the step finds none of that
 * name or another one. Asked for one name at a time, and only where such an entry is on the PATH.
 */
final class CallersPrograms {
    private static final int NOT_FOUND = 127;
    private static final int ANY_EXECUTE = 0111;
    private static final String BLANKS = " \t\n;&|()<>";

    private final Map<String, String> environment;
    private final FileSystemView files;
    private final AccessOracle oracle;
    private final EnvironmentPlan step;

    /** A program that the caller has and the step has not. */
    private record Uncovered(AbsolutePath folder, String fix) {}

    CallersPrograms(Map<String, String> environment, FileSystemView files, AccessOracle oracle, EnvironmentPlan step) {
        this.environment = environment;
        this.files = files;
        this.oracle = oracle;
        this.step = step;
    }

    /** The same failure, with the folder in which the caller has the program. */
    CommandNotStartedException explained(CommandNotStartedException failure, Command command) {
        if (failure.code() != ProblemCode.COMMAND_NOT_FOUND) {
            return failure;
        }
        String program = command.argv().get(0);
        return uncovered(program)
                .map(found -> CommandNotStartedException.notFound(program, where(found), found.fix()))
                .orElse(failure);
    }

    /** What its author should know of the program that ran, or that its shell did not find. */
    List<String> notes(Command command, int exitCode, String complaints) {
        List<String> notes = new ArrayList<>();
        String missing = exitCode == NOT_FOUND ? missing(complaints) : "";
        if (!missing.isEmpty()) {
            uncovered(missing)
                    .ifPresent(found ->
                            notes.add(CallersNotes.PROGRAM + missing + " " + where(found) + "; " + found.fix()));
            return notes;
        }
        if (step.leftOut().isEmpty()) {
            return notes;
        }
        String program = programOf(command);
        runs(program)
                .flatMap(other -> uncovered(program)
                        .map(found -> CallersNotes.PROGRAM + program + " is " + other + " here: the caller's own "
                                + where(found) + "; " + found.fix()))
                .ifPresent(notes::add);
        return notes;
    }

    private String where(Uncovered found) {
        return "is in " + shown(found.folder()) + ", which no grant covers";
    }

    /** A shell's text begins with a program in most cases; another word is in no folder. */
    private static String programOf(Command command) {
        List<String> argv = command.argv();
        boolean text = argv.size() > 2
                && argv.get(0).equals(Command.SHELL)
                && argv.get(1).equals("-c");
        String word = text ? argv.get(2).strip() : argv.get(0);
        int end = 0;
        while (text && end < word.length() && BLANKS.indexOf(word.charAt(end)) < 0) {
            end++;
        }
        return text ? word.substring(0, end) : word;
    }

    /** The name in a shell's last complaint: {@code sh: 1: cargo: not found}, {@code bash: line 1: cargo: command not found}. */
    private static String missing(String complaints) {
        String name = "";
        for (String line : complaints.split("\n", -1)) {
            int end = line.endsWith(": command not found")
                    ? line.length() - ": command not found".length()
                    : line.endsWith(": not found") ? line.length() - ": not found".length() : -1;
            if (end > 0) {
                name = line.substring(line.lastIndexOf(' ', end - 1) + 1, end);
            }
        }
        return name;
    }

    private Optional<AbsolutePath> runs(String program) {
        if (!isName(program)) {
            return Optional.empty();
        }
        for (String entry : step.searchPath()) {
            Optional<AbsolutePath> file = executable(entry, program);
            if (file.isPresent() && oracle.allows(file.get(), Operation.EXEC)) {
                return file;
            }
        }
        return Optional.empty();
    }

    /** The program that the caller would get, unless a grant covers it or one before it. */
    private Optional<Uncovered> uncovered(String program) {
        if (!isName(program)) {
            return Optional.empty();
        }
        for (String entry : environment.getOrDefault("PATH", "").split(":", -1)) {
            Optional<AbsolutePath> file = executable(entry, program);
            if (file.isPresent()) {
                AbsolutePath folder = file.get().parent().orElse(AbsolutePath.ROOT);
                return oracle.allows(file.get(), Operation.EXEC)
                        ? Optional.empty()
                        : Optional.of(new Uncovered(folder, fix(folder)));
            }
        }
        return Optional.empty();
    }

    private String fix(AbsolutePath folder) {
        if (new ToolchainFinder(environment, files).owning(folder).isPresent()) {
            return "--toolchains path (toolchains: path)";
        }
        Optional<AbsolutePath> home = home();
        boolean wide = folder.components().size() < 2
                || folder.equals(AbsolutePath.of("/var/tmp"))
                || folder.equals(AbsolutePath.of("/dev/shm"))
                || home.filter(folder::contains).isPresent();
        return wide
                ? "no grant is proposed for all of that folder: name the program's own"
                : "--system-path " + folder + " (extra_system_paths: [" + folder + "])";
    }

    private static boolean isName(String program) {
        return !program.isEmpty()
                && program.indexOf('/') < 0
                && program.indexOf('\0') < 0
                && !program.equals(".")
                && !program.equals("..");
    }

    private Optional<AbsolutePath> executable(String entry, String program) {
        if (!entry.startsWith("/")) {
            return Optional.empty();
        }
        AbsolutePath file;
        try {
            file = AbsolutePath.of(entry).resolve(program);
        } catch (IllegalArgumentException noPath) {
            return Optional.empty();
        }
        PathResolution found = PathResolution.follow(file, files);
        boolean runs = found.kind() == EntryKind.FILE
                && files.details()
                        .ownership(found.path())
                        .map(Ownership::mode)
                        .filter(mode -> (mode & ANY_EXECUTE) != 0)
                        .isPresent();
        return runs ? Optional.of(file) : Optional.empty();
    }

    private Optional<AbsolutePath> home() {
        String home = environment.getOrDefault("HOME", "");
        return home.startsWith("/") && !home.contains("..") ? Optional.of(AbsolutePath.of(home)) : Optional.empty();
    }

    private String shown(AbsolutePath folder) {
        return home().filter(home -> home.strictlyContains(folder))
                .map(home -> "~/" + home.relativize(folder))
                .orElse(folder.toString());
    }
}
