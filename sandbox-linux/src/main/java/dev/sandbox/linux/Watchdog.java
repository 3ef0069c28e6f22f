package dev.sandbox.linux;

import dev.sandbox.domain.isolation.Stdio;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One small process that outlives a JVM which is killed with SIGKILL, to end its runs. It reads from a pipe which child
 * leads a run and which run is over; when the pipe ends with the JVM it kills what is left: the groups, the sessions, the cgroups, and
 * whoever carries a marker of this JVM. Started with the first run.
 *
 * <p>Not PR_SET_PDEATHSIG: it follows the spawning thread, which ends at once.
 */
final class Watchdog {
    // Its own children and itself lead no run and carry no such marker. A zombie (Z) needs no signal.
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            starting=0 live=' '
            while read -r word; do
              pid=" ${word#?} "
              case $word in
                s) starting=$((starting + 1)) ;;
                f) starting=$((starting - 1)) ;;
                +*) starting=$((starting - 1)) live="$live${word#?} " ;;
                -*) case $live in *"$pid"*) live="${live%%"$pid"*} ${live#*"$pid"}" ;; esac ;;
              esac
            done
            case $starting$live in *[1-9]*) ;; *) exit ;; esac
            for leader in $live; do kill -9 "-$leader"; done
            for cgroup in "$CGROUP/sandbox-$MARKER"*; do [ ! -d "$cgroup" ] || echo 1 > "$cgroup/cgroup.kill"; done
            round=0 found=yes
            while [ $found = yes ] && [ $round -lt 50 ]; do
              round=$((round + 1)) found=no
              for stat in /proc/[0-9]*/stat; do
                read -r line < "$stat" || continue
                set -- ${line##*) }
                case $1 in Z | X) continue ;; esac
                case $live in *" $4 "*) stat=${stat#/proc/} && kill -9 "${stat%/stat}" && found=yes ;; esac
              done
              for environ in $("$GREP" -slF "SANDBOX_RUN_ID=$MARKER" /proc/[0-9]*/environ); do
                environ=${environ#/proc/} && kill -9 "${environ%/environ}" && found=yes
              done
              for cgroup in "$CGROUP/sandbox-$MARKER"*; do [ ! -d "$cgroup" ] || "$RMDIR" "$cgroup" || found=yes; done
            done
            """;

    private static final Watchdog OF_THIS_JVM = new Watchdog();

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Integer> live = new TreeSet<>();
    private int starting;
    private @Nullable NativeProcess dog;

    private Watchdog() {}

    static Watchdog ofThisJvm() {
        return OF_THIS_JVM;
    }

    /** A child is about to be spawned: from now on a marker may be out there. */
    void starting() {
        lock.lock();
        try {
            starting++;
            tell("s");
        } finally {
            lock.unlock();
        }
    }

    /** It was spawned, and leads a session of its own. */
    void started(int pid) {
        lock.lock();
        try {
            starting--;
            live.add(pid);
            tell("+" + pid);
        } finally {
            lock.unlock();
        }
    }

    /** Nothing was spawned. */
    void failed() {
        lock.lock();
        try {
            starting--;
            if (dog != null && !write(dog, "f\n")) {
                forget();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Its tree has ended. To be called before its number is free. */
    void ended(int pid) {
        lock.lock();
        try {
            if (live.remove(pid) && dog != null && !write(dog, "-" + pid + "\n")) {
                forget();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A new watchdog hears everything, that word included. */
    private void tell(String word) {
        if (dog != null && write(dog, word + "\n")) {
            return;
        }
        forget();
        NativeProcess fresh = new ConfinedSpawn().spawnUnwatched(request());
        StringBuilder state = new StringBuilder("s\n".repeat(starting + live.size()));
        live.forEach(pid -> state.append('+').append(pid).append('\n'));
        if (!write(fresh, state.toString())) {
            fresh.close();
            throw new IllegalStateException("the watchdog, /bin/sh, does not run");
        }
        dog = fresh;
    }

    private void forget() {
        NativeProcess dead = dog;
        dog = null;
        if (dead != null) {
            dead.close();
        }
    }

    /** Never waits: one that does not read is as good as none. */
    private static boolean write(NativeProcess dog, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        try (NativeArena arena = new NativeArena()) {
            int fd = dog.streams().stdin().orElseThrow().number();
            return RawSyscalls.host().write(fd, arena.bytes(bytes), bytes.length) == bytes.length;
        }
    }

    private static SpawnRequest request() {
        return SpawnRequest.builder()
                .addPrograms("/bin/sh")
                .addArgv("sh", "-c", SCRIPT, "sandbox-watchdog")
                .putEnvironment("MARKER", RunMarker.OF_THIS_JVM)
                .putEnvironment("GREP", HostTools.locate("grep").orElse("/bin/grep"))
                .putEnvironment("RMDIR", HostTools.locate("rmdir").orElse("/bin/rmdir"))
                .putEnvironment(
                        "CGROUP",
                        CgroupDelegation.ofThisProcess()
                                .own()
                                .map(Path::toString)
                                .orElse("/nonexistent"))
                .workingDirectory("/")
                .stdin(Stdio.PIPE)
                .stdout(Stdio.NULL)
                .stderr(Stdio.NULL)
                .marker("watchdog-" + RunMarker.next())
                .build();
    }
}
