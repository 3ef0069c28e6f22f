package dev.sandbox.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The process a container belongs to, told apart from a later one with the same number, on another boot or in another PID
 * namespace.
 *
 * @param pid its process id
 * @param start its start time in clock ticks after boot
 * @param place boot id and PID namespace
 */
record Owner(long pid, String start, String place) {
    /** The container label that holds it. */
    static final String LABEL = "dev.sandbox.owner";

    /** What can be said of an owner from here. */
    enum State {
        ALIVE,
        GONE,
        /** Of another machine, boot or PID namespace: cannot be seen from here. */
        ELSEWHERE
    }

    /** This process. */
    static Owner self() {
        long pid = ProcessHandle.current().pid();
        return new Owner(pid, startOf(pid).orElse("0"), here());
    }

    /** From a label's text. */
    static Optional<Owner> parse(String text) {
        String[] parts = text.split("/", 3);
        try {
            return parts.length == 3
                    ? Optional.of(new Owner(Long.parseLong(parts[0]), parts[1], parts[2]))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** As a label's text. */
    String text() {
        return pid + "/" + start + "/" + place;
    }

    State state() {
        if (!place.equals(here())) {
            return State.ELSEWHERE;
        }
        if (ProcessHandle.of(pid).isEmpty()) {
            return State.GONE;
        }
        return startOf(pid).map(start::equals).orElse(true) ? State.ALIVE : State.GONE;
    }

    private static String here() {
        try {
            String boot =
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            return boot + "/" + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
        } catch (IOException e) {
            return "unknown";
        }
    }

    /** Field 22 of /proc/PID/stat; the name in field 2 may hold spaces and parentheses. */
    private static Optional<String> startOf(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Optional.of(fields[19]);
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
