package dev.sandbox.linux;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.environment.EnvironmentPlan;
import java.util.List;

/** Where a program may be, as execvp(3) looks for it, but on the step's own PATH and never in its working directory. */
public final class ProgramSearch {
    private ProgramSearch() {}

    /** The paths to try, in order: the program itself when it has a slash, else one in each PATH entry that is absolute. */
    public static List<String> candidates(Command command, EnvironmentPlan environment) {
        String program = command.program();
        if (program.indexOf('/') >= 0) {
            return List.of(program);
        }
        List<String> candidates = environment.searchPath().stream()
                .filter(entry -> entry.startsWith("/"))
                .map(entry -> entry + "/" + program)
                .toList();
        return candidates.isEmpty() ? List.of("/usr/bin/" + program, "/bin/" + program) : candidates;
    }
}
