package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Poll;
import dev.sandbox.linux.uapi.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every process of a run: the child's group and session, their descendants, and whoever carries the run's marker in its
 * environment. Used only while the child is not yet reaped, so that its number is still its own.
 *
 * <p>What this does NOT find: a process that has left the session, lost its parents and either executed a program with another
 * environment or made itself undumpable. A PID namespace finds that one too, and so does a cgroup, if the run has one.
 */
final class ProcessTree {
    private static final int MOST_ROUNDS = 100;
    /** However long they take: on a busy machine one look at all processes may take a second. */
    private static final int LEAST_ROUNDS = 20;
    /** For a process killed while the kernel holds it in an uninterruptible call. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** A process in the middle of execve(2) has no environment for a moment. */
    private static final int ENVIRONMENT_READS = 3;

    private static final long EXEC_PAUSE_NANOS = 50_000;

    private final RawSyscalls syscalls;
    private final int leader;
    private final Optional<Integer> init;
    private final String mark;
    private final Optional<RunCgroup> cgroup;
    private final PidClock.Moment before;
    private List<ProcessEntry> remembered = List.of();

    ProcessTree(
            RawSyscalls syscalls,
            int leader,
            Optional<Integer> init,
            String marker,
            Optional<RunCgroup> cgroup,
            PidClock.Moment before) {
        this.syscalls = syscalls;
        this.leader = leader;
        this.init = init;
        this.mark = SpawnRequest.MARKER_VARIABLE + "=" + marker + "\0";
        this.cgroup = cgroup;
        this.before = before;
    }

    /**
     * A signal to the process group and to those that left it; SIGCONT, since a stopped process would not get to see it. Who
     * belongs to the run is remembered: when the parents have obeyed, nothing may lead to a child any more that did not.
     */
    void signal(int signal) {
        try (ProcessTable table = new ProcessTable()) {
            remembered = members(table);
            syscalls.kill(-leader, signal);
            syscalls.kill(-leader, Signals.SIGCONT);
            for (ProcessEntry member : remembered) {
                if (member.group() != leader && leftBehind(member)) {
                    signal(member, signal, table).ifPresent(FileDescriptor::close);
                }
            }
        }
    }

    /**
     * What all of it uses now. Of memory each process's resident size first, which counts shared pages more than once; only when that
     * is more than {@code enough}, the proportional sizes, which do not, and for which the kernel walks page tables.
     */
    TreeWatch.Use use(OptionalLong enough) {
        try (ProcessTable table = new ProcessTable()) {
            List<ProcessEntry> members = members(table);
            int tasks = members.stream()
                    .filter(member -> !isInit(member.pid()))
                    .mapToInt(ProcessEntry::threads)
                    .sum();
            return new TreeWatch.Use(enough.isPresent() ? memory(members, table, enough.getAsLong()) : 0, tasks);
        }
    }

    private static long memory(List<ProcessEntry> members, ProcessTable table, long enough) {
        long resident = members.stream()
                .mapToLong(member -> table.residentBytes(member.pid()))
                .sum();
        return resident <= enough
                ? resident
                : members.stream()
                        .mapToLong(member -> table.proportionalBytes(member.pid()))
                        .sum();
    }

    /** SIGKILL to all of it, until none is found; whether there was any but the child itself and the init. */
    boolean kill() {
        return init.map(this::killNamespace).orElseGet(this::killAll);
    }

    /**
     * By the first process of its PID namespace, with which the kernel kills all others; that one has ended when it can be reaped, which
     * it can be when the child has been. Who is left without a parent is a child of it.
     */
    private boolean killNamespace(int first) {
        boolean left = !ProcessTable.children(first).isEmpty();
        syscalls.kill(first, Signals.SIGKILL);
        return left;
    }

    private boolean killAll() {
        boolean found = false;
        Deadline patience = Deadline.after(PATIENCE);
        try (ProcessTable table = new ProcessTable()) {
            for (int round = 0; round < LEAST_ROUNDS || (round < MOST_ROUNDS && !patience.passed()); round++) {
                // Looked for before the group is killed: parents that are still there lead to children that hide.
                List<ProcessEntry> members = members(table);
                boolean complete = !table.sawOneVanish() || round >= 3;
                // One call for the whole group: the kernel lets none of it fork in between.
                syscalls.kill(-leader, Signals.SIGKILL);
                cgroup.ifPresent(RunCgroup::kill);
                killAll(members, table, patience);
                found |= members.stream().anyMatch(this::leftBehind);
                if (members.isEmpty() && complete && ofTheCgroup().isEmpty()) {
                    return found;
                }
            }
        }
        Log.LOG.warn("processes of run {} are still there after SIGKILL", leader);
        return found;
    }

    private boolean leftBehind(ProcessEntry entry) {
        return entry.pid() != leader && !isInit(entry.pid());
    }

    private boolean isInit(int pid) {
        return init.filter(first -> first == pid).isPresent();
    }

    private List<ProcessEntry> members(ProcessTable table) {
        List<ProcessEntry> candidates = candidates(table);
        Kinship kinship = new Kinship(leader, init);
        Set<Integer> inside = ofTheCgroup();
        candidates.removeIf(entry ->
                (isKnown(entry) || inside.contains(entry.pid()) || isMarked(entry, table)) && kinship.add(entry));
        boolean grown = true;
        while (grown) {
            grown = candidates.removeIf(entry -> kinship.includes(entry) && kinship.add(entry));
        }
        return kinship.members().stream().filter(ProcessEntry::alive).toList();
    }

    private Set<Integer> ofTheCgroup() {
        return cgroup.map(RunCgroup::processes).orElseGet(Set::of);
    }

    /** What started before the child is none of its descendants: that is most of a machine, for one small read each. */
    private List<ProcessEntry> candidates(ProcessTable table) {
        long start = table.entry(leader).map(ProcessEntry::startTime).orElse(0L);
        List<ProcessEntry> candidates = new ArrayList<>();
        IntPredicate wanted = PidClock.ofThisHost().since(before);
        for (ProcessEntry entry : table.entries(pid -> wanted.test(pid) || isInit(pid))) {
            if (isInit(entry.pid()) || (entry.alive() && entry.startTime() >= start)) {
                candidates.add(entry);
            }
        }
        return candidates;
    }

    private boolean isKnown(ProcessEntry entry) {
        return entry.pid() == leader
                || isInit(entry.pid())
                || remembered.stream().anyMatch(entry::sameAs);
    }

    private boolean isMarked(ProcessEntry entry, ProcessTable table) {
        for (int i = 0; i < ENVIRONMENT_READS; i++) {
            String environment = table.environment(entry.pid());
            if (!environment.isEmpty()) {
                return environment.startsWith(mark) || environment.contains("\0" + mark);
            }
            LockSupport.parkNanos(EXEC_PAUSE_NANOS);
        }
        return false;
    }

    private void killAll(List<ProcessEntry> members, ProcessTable table, Deadline patience) {
        List<FileDescriptor> killed = new ArrayList<>();
        try {
            for (ProcessEntry member : members) {
                Optional<FileDescriptor> pidfd = signal(member, Signals.SIGKILL, table);
                pidfd.ifPresent(killed::add);
            }
            killed.forEach(pidfd -> awaitEnd(pidfd, patience));
        } finally {
            killed.forEach(FileDescriptor::close);
        }
    }

    /** A pidfd, then a second look: the number may have passed to a stranger since the first. */
    private Optional<FileDescriptor> signal(ProcessEntry member, int signal, ProcessTable table) {
        int fd = syscalls.pidfdOpen(member.pid(), 0);
        if (fd < 0) {
            return Optional.empty();
        }
        FileDescriptor pidfd = new FileDescriptor(fd, syscalls);
        boolean same = table.entry(member.pid()).filter(member::sameAs).isPresent();
        if (same && syscalls.pidfdSendSignal(fd, signal) == 0) {
            return Optional.of(pidfd);
        }
        pidfd.close();
        return Optional.empty();
    }

    private void awaitEnd(FileDescriptor pidfd, Deadline patience) {
        try (Poller poller = new Poller(syscalls, 1)) {
            poller.watch(0, pidfd.number(), Poll.POLLIN);
            do {
                poller.poll(patience.millisLeft(Poller.SLICE_MILLIS));
            } while (!poller.ready(0) && !patience.passed());
        }
    }

    /** Loaded when there is something to say: finding who logs means opening every jar of the class path. */
    private static final class Log {
        static final Logger LOG = LoggerFactory.getLogger(ProcessTree.class);
    }
}
