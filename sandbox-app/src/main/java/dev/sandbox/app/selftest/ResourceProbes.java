package dev.sandbox.app.selftest;

import static dev.sandbox.app.selftest.ProbeCalls.number;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.result.Termination;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.ArrayList;
import java.util.List;

/** Attacks on limits. */
final class ResourceProbes {
    /** Of F_DUPFD for a number over the limit, where the one below was given. */
    private static final int EINVAL = 22;

    private static final int F_DUPFD = 0;

    private ResourceProbes() {}

    static List<Probe> of(Scene scene) {
        List<Probe> probes = new ArrayList<>();
        probes.addAll(in(scene, Setting.FEW_PROCESSES)
                .script(
                        "processes",
                        Claim.of(Guarantee.LIMIT_PROCESSES),
                        "fork without end",
                        """
                        n=0
                        while [ $n -lt %d ]; do sleep 60 & n=$((n + 1)); done
                        sleep 1 # a watch looks ten times a second
                        echo ESCAPED
                        """.formatted(4 * Setting.PROCESSES),
                        unlessSaid())
                .probes());
        probes.addAll(in(scene, Setting.LITTLE_MEMORY)
                .script(
                        "memory",
                        Claim.of(Guarantee.LIMIT_MEMORY),
                        "take memory without end",
                        """
                        head -c %1$d /dev/zero | tail -c %1$d > /dev/null && echo ESCAPED
                        """.formatted(4 * Setting.MEMORY),
                        unlessSaid())
                .probes());
        probes.addAll(in(scene, Setting.SHORT_FILES)
                .script(
                        "file_size",
                        Claim.of(Guarantee.LIMIT_FILE_SIZE),
                        "write a file without end",
                        """
                        head -c %d /dev/zero > "$inside/long"
                        [ "$(wc -c < "$inside/long")" -gt %d ] && echo ESCAPED; rm "$inside/long"
                        """.formatted(4 * Setting.FILE_SIZE, Setting.FILE_SIZE),
                        unlessSaid())
                .probes());
        probes.addAll(in(scene, Setting.FEW_FILES)
                .calls(
                        "open_files",
                        Claim.of(Guarantee.LIMIT_OPEN_FILES),
                        "open files without end",
                        new ProbeCalls()
                                .call(SyscallNumbers.FCNTL, number(0), number(F_DUPFD), number(Setting.OPEN_FILES - 1))
                                .call(SyscallNumbers.FCNTL, number(0), number(F_DUPFD), number(Setting.OPEN_FILES)),
                        Evidence.unlessRefusedBy(EINVAL))
                .probes());
        probes.addAll(in(scene, Setting.LITTLE_CPU)
                .script(
                        "cpu_time",
                        Claim.of(Guarantee.LIMIT_CPU_TIME),
                        "compute without end",
                        "while :; do :; done",
                        timedOut())
                .probes());
        return probes;
    }

    private static ProbeGroup in(Scene scene, Setting setting) {
        return new ProbeGroup(scene, setting, "limit");
    }

    /** The clock ended it, where the processor's time should have. */
    private static Evidence timedOut() {
        return (result, victims) -> result.termination() == Termination.TIMED_OUT
                ? Finding.escaped("computed until the timeout")
                : Finding.denied();
    }

    /** What a limit strikes seldom has the time for a last word. */
    private static Evidence unlessSaid() {
        return (result, victims) -> result.stdout().contains(Evidence.ESCAPED) ? Finding.escaped("") : Finding.denied();
    }
}
