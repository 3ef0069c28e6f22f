package dev.sandbox.domain.result;

import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.policy.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Says which limit struck. Three strike visibly: a file that grows too large and processor time are answered by a signal, and
 * memory over the limit of the whole tree by the sandbox. The others make a system call fail, of which the command's own words tell.
 */
public final class LimitNotes {
    private static final int SIGXFSZ = 25;
    private static final int SHELL_SAYS_SIGXFSZ = 128 + SIGXFSZ;
    private static final int SHELL_SAYS_SIGXCPU = 128 + 24;
    private static final int SHELL_SAYS_SIGKILL = 128 + 9;
    private static final Pattern NO_MEMORY = Pattern.compile(
            "(?i)cannot allocate memory|memory exhausted|out of memory|MemoryError|bad_alloc|ENOMEM|OutOfMemory");
    private static final Pattern NO_PROCESS =
            Pattern.compile("(?i)cannot fork|resource temporarily unavailable|EAGAIN|can't start new thread");
    private static final Pattern NO_FILE = Pattern.compile("(?i)too many open files|EMFILE");
    private static final Pattern FILE_TOO_LARGE = Pattern.compile("(?i)file too large|file size limit|EFBIG");

    private LimitNotes() {}

    /** For a tree that was killed for its memory, by how much it used at most. */
    public static String killedForMemory(long limit, long peak) {
        return "killed: memory limit " + size(limit) + " (peak " + size(peak) + ")";
    }

    /** For a tree that was killed for its number of processes and threads. */
    public static String killedForProcesses(long limit, long found) {
        return "killed: process limit " + limit + " (" + found + " processes and threads)";
    }

    /** What the end of the command and its complaints say of its limits. */
    public static List<String> of(Limits limits, Completion completion, String stderr) {
        List<String> notes = new ArrayList<>();
        OptionalInt signal = completion.status().signal();
        if (limits.fileSize().isPresent() && signal.isPresent() && signal.getAsInt() == SIGXFSZ) {
            notes.add("killed: file size limit " + size(limits.fileSize().getAsLong()));
        } else if (limits.fileSize().isPresent() && completion.status().shellCode() == SHELL_SAYS_SIGXFSZ) {
            notes.add("a process was killed: file size limit "
                    + size(limits.fileSize().getAsLong()));
        } else {
            complaint(limits.fileSize(), FILE_TOO_LARGE, stderr, "file size limit", notes);
        }
        cpuTime(limits, completion).ifPresent(notes::add);
        complaint(limits.memory(), NO_MEMORY, stderr, "memory limit", notes);
        if (limits.processes().isPresent() && NO_PROCESS.matcher(stderr).find()) {
            notes.add("probably reached: process limit " + limits.processes().getAsLong());
        }
        if (limits.openFiles().isPresent() && NO_FILE.matcher(stderr).find()) {
            notes.add("probably reached: open files limit " + limits.openFiles().getAsLong());
        }
        return notes;
    }

    /** SIGXCPU comes from nowhere else; SIGKILL only to who has ignored that for a second of processor time. */
    private static Optional<String> cpuTime(Limits limits, Completion completion) {
        int code = completion.status().shellCode();
        boolean killed = completion.status().signal().isPresent();
        boolean ignored = killed && code == SHELL_SAYS_SIGKILL && completion.termination() == Termination.SIGNALED;
        if (limits.cpuTime().isEmpty() || (code != SHELL_SAYS_SIGXCPU && !ignored)) {
            return Optional.empty();
        }
        String limit =
                "cpu time limit " + limits.cpuTime().get().plusMillis(999).toSeconds() + "s";
        if (ignored) {
            return Optional.of("probably reached: " + limit);
        }
        return Optional.of((killed ? "killed: " : "a process was killed: ") + limit);
    }

    private static void complaint(OptionalLong limit, Pattern words, String stderr, String name, List<String> notes) {
        if (limit.isPresent() && words.matcher(stderr).find()) {
            notes.add("probably reached: " + name + " " + size(limit.getAsLong()));
        }
    }

    /** As it would be written in a policy. */
    private static String size(long bytes) {
        if (bytes >= 1 << 20) {
            return (bytes >> 20) + "MiB";
        }
        return bytes >= 1 << 10 ? (bytes >> 10) + "KiB" : bytes + "B";
    }
}
