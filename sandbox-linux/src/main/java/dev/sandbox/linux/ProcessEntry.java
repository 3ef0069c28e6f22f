package dev.sandbox.linux;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What the sweep needs of /proc/PID/stat.
 *
 * @param pid the process
 * @param state one letter; Z and X have ended
 * @param parent its parent
 * @param group its process group
 * @param session its session
 * @param threads how many it has
 * @param startTime in clock ticks since boot: with the pid it names a process for good
 */
record ProcessEntry(int pid, char state, int parent, int group, int session, int threads, long startTime) {
    // Counted from the field after the name: state is field 3 of proc_pid_stat(5).
    private static final int STATE = 0;
    private static final int PARENT = 1;
    private static final int GROUP = 2;
    private static final int SESSION = 3;
    private static final int THREADS = 17;
    private static final int START_TIME = 19;

    boolean alive() {
        return state != 'Z' && state != 'X' && state != 'x';
    }

    /** Whether the two are one process, looked at twice. */
    boolean sameAs(ProcessEntry other) {
        return pid == other.pid && startTime == other.startTime;
    }

    /** Reads the line; the name may itself hold spaces and parentheses, so it ends at the last one. */
    static Optional<ProcessEntry> parse(int pid, byte[] line, int length) {
        int name = length - 1;
        while (name >= 0 && line[name] != ')') {
            name--;
        }
        if (name < 0 || name + 2 >= length) {
            return Optional.empty();
        }
        String[] fields =
                new String(line, name + 2, length - name - 2, StandardCharsets.ISO_8859_1).split(" ", START_TIME + 2);
        if (fields.length <= START_TIME) {
            return Optional.empty();
        }
        return Optional.of(new ProcessEntry(
                pid,
                fields[STATE].charAt(0),
                Integer.parseInt(fields[PARENT]),
                Integer.parseInt(fields[GROUP]),
                Integer.parseInt(fields[SESSION]),
                Integer.parseInt(fields[THREADS]),
                Long.parseLong(fields[START_TIME].trim())));
    }
}
