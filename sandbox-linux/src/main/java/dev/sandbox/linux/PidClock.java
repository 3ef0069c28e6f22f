package dev.sandbox.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntPredicate;

/**
 * Tells which numbers processes can have that are younger than a moment. The kernel gives numbers in order and starts again at the
 * end: so those that were given since lie between the last of that moment and the last of now, as long as they cannot have gone around
 * once. It is looked at when steps begin and end; between two looks the numbers may move on by half a round, as fast as processors can
 * make tasks. Where more time passed, every number counts. Thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_loadavg.5.html">proc_loadavg(5), the last field</a>
 */
final class PidClock {
    /** What a processor needs at least for one; measured are ten and more. */
    private static final int MICROS_PER_TASK = 2;
    /** All take turns at one lock for their number, so that more processors than these make no more. */
    private static final int MOST_PROCESSORS = 16;

    private static final int LEAST_PID_MAX = 32_768;
    private static final long NANOS_PER_MICRO = 1_000;

    private final int pidMax;
    private final long nanosForHalf;
    private final LastPid lastPid;
    private Moment latest;

    /** The number that was given last; throws when the kernel does not tell. */
    @FunctionalInterface
    interface LastPid {
        int read() throws IOException;
    }

    /**
     * When a look was taken.
     *
     * @param unbroken looks with the same number follow each other closely
     * @param given how many numbers were given since the first of those, 0 to 299 of each round counted as well
     * @param last the number that was given last
     * @param nanos as System.nanoTime has it
     */
    record Moment(long unbroken, long given, int last, long nanos) {}

    private static final class OfThisHost {
        static final PidClock CLOCK = new PidClock(pidMax(), processors(), () -> {
            String loadavg = read("/proc/loadavg");
            return Integer.parseInt(loadavg.substring(loadavg.lastIndexOf(' ') + 1));
        });
    }

    PidClock(int pidMax, int processors, LastPid lastPid) {
        this.pidMax = pidMax;
        this.lastPid = lastPid;
        nanosForHalf = pidMax / 2L * MICROS_PER_TASK * NANOS_PER_MICRO / processors;
        latest = new Moment(0, 0, 0, System.nanoTime() - nanosForHalf);
    }

    static PidClock ofThisHost() {
        return OfThisHost.CLOCK;
    }

    private static int pidMax() {
        try {
            return Integer.parseInt(read("/proc/sys/kernel/pid_max"));
        } catch (IOException | NumberFormatException unknown) {
            return LEAST_PID_MAX;
        }
    }

    /** All that the machine may have, not those of this JVM. */
    private static int processors() {
        try {
            String possible = read("/sys/devices/system/cpu/possible");
            int last = Integer.parseInt(possible.substring(possible.lastIndexOf('-') + 1));
            return Math.min(MOST_PROCESSORS, last + 1);
        } catch (IOException | NumberFormatException unknown) {
            return MOST_PROCESSORS;
        }
    }

    private static String read(String file) throws IOException {
        return Files.readString(Path.of(file), StandardCharsets.US_ASCII).trim();
    }

    /** Before a step begins; a look that was just taken is taken again, for a range may begin too early. */
    synchronized Moment start() {
        return System.nanoTime() - latest.nanos() < nanosForHalf / 4 ? latest : look();
    }

    /** What can have begun since; to be asked anew for each look at the processes. */
    synchronized IntPredicate since(Moment start) {
        Moment now = look();
        return now.unbroken() == start.unbroken() && now.given() - start.given() < pidMax / 2
                ? between(start.last(), now.last())
                : pid -> true;
    }

    private Moment look() {
        // Before the number is read: no time passes that is not counted.
        long nanos = System.nanoTime();
        int last;
        try {
            last = lastPid.read();
        } catch (IOException | NumberFormatException unknown) {
            latest = new Moment(latest.unbroken() + 1, 0, 0, nanos - nanosForHalf);
            return latest;
        }
        // Until after it was read.
        boolean follows = System.nanoTime() - latest.nanos() < nanosForHalf;
        latest = follows
                ? new Moment(
                        latest.unbroken(), latest.given() + Math.floorMod(last - latest.last(), pidMax), last, nanos)
                : new Moment(latest.unbroken() + 1, 0, last, nanos);
        return latest;
    }

    /** Those from one up to another, around the end if need be. */
    static IntPredicate between(int first, int last) {
        return last >= first ? pid -> pid >= first && pid <= last : pid -> pid >= first || pid <= last;
    }
}
