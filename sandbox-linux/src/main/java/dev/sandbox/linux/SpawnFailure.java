package dev.sandbox.linux;

import dev.sandbox.domain.problem.CommandInvalidException;
import dev.sandbox.domain.problem.CommandNotStartedException;
import dev.sandbox.linux.spawn.Entry;
import dev.sandbox.linux.spawn.SpawnReport;
import java.util.List;

/** Tells a command that cannot be executed from a sandbox that could not be set up, by the entry that failed. */
final class SpawnFailure {
    /** What execve(2) takes of the stack for arguments and environment: a quarter, and at most three quarters of 8 MiB. */
    private static final long STACK_SHARE = 4;

    private static final long MOST_TOGETHER = 6 * 1024 * 1024;

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
            case E2BIG -> tooLong();
            default -> CommandNotStartedException.notExecutable(program, "cannot be executed: " + text(errno));
        };
    }

    /** A limit of all arguments and variables together; a variable alone may be over its own. */
    private static CommandInvalidException tooLong() {
        long together = Math.min(StepLimits.stack() / STACK_SHARE, MOST_TOGETHER);
        return new CommandInvalidException("the command and its environment are longer than Linux takes: " + together
                + " bytes together, 131071 a variable; hand data over in a file or on standard input");
    }

    private static String text(int errno) {
        return Errno.describe(errno);
    }
}
