package dev.sandbox.linux;

import dev.sandbox.domain.problem.CommandNotStartedException;
import dev.sandbox.linux.spawn.Entry;
import dev.sandbox.linux.spawn.SpawnReport;
import java.util.List;

/** Tells a command that cannot be executed from a sandbox that could not be set up, by the entry that failed. */
final class SpawnFailure {
    private SpawnFailure() {}

    static RuntimeException of(StepProgram.Plan plan, SpawnReport report, SpawnRequest request) {
        SpawnReport.Failure failure = report.failure().orElseThrow();
        if (failure.entry() == plan.workingDirectory()) {
            return new ConfinementException(ConfinementException.WORKING_DIRECTORY, failure.errno());
        }
        if (failure.entry() == plan.noCandidate()) {
            return noCandidate(plan.executions(), report, request);
        }
        int candidate = plan.executions().indexOf(failure.entry());
        return candidate < 0
                ? new ConfinementException(failure.entry().name(), failure.errno())
                : execution(request.programs().get(candidate), failure.errno());
    }

    /** As execvp(3): of candidates that are absent or may not be executed, one of the latter is told of. */
    private static RuntimeException noCandidate(List<Entry.Call> executions, SpawnReport report, SpawnRequest request) {
        List<String> programs = request.programs();
        for (int i = 0; i < programs.size(); i++) {
            if (errno(executions.get(i), report) == Errno.EACCES.number()) {
                return execution(programs.get(i), Errno.EACCES.number());
            }
        }
        return programs.size() > 1
                ? CommandNotStartedException.notFound(request.argv().get(0), "is in no folder of the step's PATH")
                : execution(programs.get(0), errno(executions.get(0), report));
    }

    private static int errno(Entry.Call execution, SpawnReport report) {
        return (int) -report.value(execution.result().orElseThrow());
    }

    private static RuntimeException execution(String program, int errno) {
        return switch (Errno.of(errno).orElse(Errno.EINVAL)) {
            case ENOENT, ENOTDIR -> CommandNotStartedException.notFound(program, "cannot be found: " + text(errno));
            // The machine's fault or ours, not the program's.
            case EAGAIN, ENOMEM, EMFILE, ENFILE, EBADF, ENOSYS, EFAULT -> new ConfinementException("execve", errno);
            default -> CommandNotStartedException.notExecutable(program, "cannot be executed: " + text(errno));
        };
    }

    private static String text(int errno) {
        return Errno.describe(errno);
    }
}
