package dev.sandbox.linux;

import dev.sandbox.domain.problem.CommandNotStartedException;

/** Tells a command that cannot be executed from a sandbox that could not be set up, by the errno of posix_spawn. */
final class SpawnFailure {
    private SpawnFailure() {}

    static RuntimeException of(PreparedSpawn spawn, int errno) {
        return switch (spawn.failure()) {
            case WORKING_DIRECTORY -> new ConfinementException(ConfinementException.WORKING_DIRECTORY, errno);
            case DESCRIPTORS -> new ConfinementException("close_range", errno);
            case LAUNCHER -> new ConfinementException("prlimit", errno);
            case EXECUTION ->
                spawn.isSearch() && errno == Errno.ENOENT.number()
                        ? CommandNotStartedException.notFound(spawn.askedFor(), "is in no folder of the step's PATH")
                        : execution(spawn.failedProgram(), errno);
        };
    }

    private static RuntimeException execution(String program, int errno) {
        return switch (Errno.of(errno).orElse(Errno.EINVAL)) {
            case ENOENT, ENOTDIR -> CommandNotStartedException.notFound(program, "cannot be found: " + text(errno));
            // The machine's fault or ours, not the program's.
            case EAGAIN, ENOMEM, EMFILE, ENFILE, EBADF, ENOSYS, EFAULT ->
                new ConfinementException("posix_spawn", errno);
            default -> CommandNotStartedException.notExecutable(program, "cannot be executed: " + text(errno));
        };
    }

    private static String text(int errno) {
        return Errno.describe(errno);
    }
}
