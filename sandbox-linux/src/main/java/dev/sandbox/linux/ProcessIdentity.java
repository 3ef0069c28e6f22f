package dev.sandbox.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One process, told apart from a later one with the same number, on another boot or in another PID namespace. The one answer to "is
 * that process alive" that records of the sandbox rest on.
 *
 * @param pid its process id, in its PID namespace
 * @param start its start time in clock ticks after boot
 * @param boot the boot's id, without dashes; {@value #UNKNOWN} where it cannot be read
 * @param namespace the number of its PID namespace; {@value #UNKNOWN} where it cannot be read
 * @see <a href="https://man7.org/linux/man-pages/man7/pid_namespaces.7.html">pid_namespaces(7)</a>
 */
public record ProcessIdentity(int pid, long start, String boot, String namespace) {
    private static final String UNKNOWN = "unknown";
    private static final Pattern TEXT =
            Pattern.compile("([1-9][0-9]{0,8})-([0-9]{1,18})-([0-9]{1,20}|unknown)-([0-9a-f]{1,64}|unknown)");

    /** What can be said of a process from here. */
    public enum State {
        ALIVE,
        GONE,
        /** Of another machine, boot or PID namespace: cannot be seen from here, and is never taken for dead. */
        ELSEWHERE
    }

    /** This process. */
    public static ProcessIdentity self() {
        int pid = (int) ProcessHandle.current().pid();
        long start = entry(pid).map(ProcessEntry::startTime).orElse(0L);
        return new ProcessIdentity(pid, start, bootHere(), namespaceHere());
    }

    /** From {@link #text}; absent when it is none. */
    public static Optional<ProcessIdentity> parse(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches()
                ? Optional.of(new ProcessIdentity(
                        Integer.parseInt(parts.group(1)),
                        Long.parseLong(parts.group(2)),
                        parts.group(4),
                        parts.group(3)))
                : Optional.empty();
    }

    /** As one word that may be a file's name. */
    public String text() {
        return pid + "-" + start + "-" + namespace + "-" + boot;
    }

    /** What is known of it now. */
    public State state() {
        boolean here = !boot.equals(UNKNOWN)
                && !namespace.equals(UNKNOWN)
                && boot.equals(bootHere())
                && namespace.equals(namespaceHere());
        if (!here) {
            return State.ELSEWHERE;
        }
        Optional<ProcessEntry> now = entry(pid);
        if (now.isEmpty()) {
            // Also where /proc hides other accounts' processes (hidepid).
            boolean nobody = RawSyscalls.host().kill(pid, 0) == -Errno.ESRCH.number();
            return nobody ? State.GONE : State.ALIVE;
        }
        return now.get().startTime() == start && now.get().alive() ? State.ALIVE : State.GONE;
    }

    private static Optional<ProcessEntry> entry(int pid) {
        try (ProcessTable table = new ProcessTable()) {
            return table.entry(pid);
        } catch (SyscallException noProc) {
            return Optional.empty();
        }
    }

    private static String bootHere() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                    .strip()
                    .replace("-", "");
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** The number in {@code pid:[4026531836]}. */
    private static String namespaceHere() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))
                    .toString()
                    .replaceAll("[^0-9]", "");
        } catch (IOException e) {
            return UNKNOWN;
        }
    }
}
