package dev.sandbox.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntPredicate;

/**
 * Which numbers processes can have that are younger than one. The kernel gives numbers in order and starts again at the end: so those
 * that were given since lie between that one's and the last, as long as it cannot have gone around once. How fast it can is a guess on
 * the safe side; after that time every number counts.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_loadavg.5.html">proc_loadavg(5), the last field</a>
 */
final class YoungerPids {
    private static final long MOST_FORKS_PER_MICRO = 8;
    private static final int LEAST_PID_MAX = 32_768;
    private static final long NANOS_PER_MICRO = 1_000;

    private static final class Kernel {
        static final int PID_MAX = pidMax();
    }

    private final int pid;
    private final long bornNanos = System.nanoTime();

    /** @param pid of a process that was just born */
    YoungerPids(int pid) {
        this.pid = pid;
    }

    private static int pidMax() {
        try {
            return Integer.parseInt(read("/proc/sys/kernel/pid_max"));
        } catch (IOException | NumberFormatException unknown) {
            return LEAST_PID_MAX;
        }
    }

    private static String read(String file) throws IOException {
        return Files.readString(Path.of(file), StandardCharsets.US_ASCII).trim();
    }

    /** As it is now; to be asked anew for each look. */
    IntPredicate now() {
        long micros = (System.nanoTime() - bornNanos) / NANOS_PER_MICRO;
        long most = micros * MOST_FORKS_PER_MICRO;
        if (most >= Kernel.PID_MAX / 2) {
            return pid -> true;
        }
        try {
            String loadavg = read("/proc/loadavg");
            return between(pid, Integer.parseInt(loadavg.substring(loadavg.lastIndexOf(' ') + 1)));
        } catch (IOException | NumberFormatException unknown) {
            return pid -> true;
        }
    }

    /** Those after one up to another, around the end if need be. */
    static IntPredicate between(int first, int last) {
        return last >= first ? pid -> pid >= first && pid <= last : pid -> pid >= first || pid <= last;
    }
}
