package dev.sandbox.linux.spawn;

import dev.sandbox.linux.uapi.Architecture;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Carries programs out, each on a thread of a bounded pool, which the kernel holds until the child has become another program. The
 * caller waits no longer than it wants to: then every child is killed, the innermost first, and when even that does not free the
 * thread (a child in an uninterruptible sleep), the thread is given up, counted and told of. Nothing of the child's memory is freed
 * before its threads are back.
 *
 * <p>Virtual threads may call: they wait without their carrier. Thread-safe.
 */
public final class Spawner {
    private static final Duration PATIENCE_AFTER_KILL = Duration.ofSeconds(2);

    private final Predicate<Entry> fails;
    private final Predicate<Entry> omits;
    private final @Nullable Consumer<Entry.Clone> listing;
    private final SpawnThreads threads;

    public Spawner() {
        this(entry -> false);
    }

    /**
     * One whose programs break.
     *
     * @param fails the entries that fail with EIO without being tried
     */
    public Spawner(Predicate<Entry> fails) {
        this(fails, entry -> false);
    }

    /**
     * One whose children do less than they should, so that a test can show what each layer holds. For nothing else.
     *
     * @param omits the entries that are taken for done
     */
    public static Spawner leavingOutForTests(Predicate<Entry> omits) {
        return new Spawner(entry -> false, omits);
    }

    /**
     * One that carries nothing out: what it is asked to spawn it hands over, and says that it failed with ECANCELED.
     *
     * @param receiver is given each clone with its programs
     */
    public static Spawner listing(Consumer<Entry.Clone> receiver) {
        return new Spawner(entry -> false, entry -> false, receiver);
    }

    private Spawner(Predicate<Entry> fails, Predicate<Entry> omits) {
        this(fails, omits, null);
    }

    private Spawner(Predicate<Entry> fails, Predicate<Entry> omits, @Nullable Consumer<Entry.Clone> listing) {
        this.fails = fails;
        this.omits = omits;
        this.listing = listing;
        this.threads = SpawnThreads.ofThisJvm();
    }

    /** Whether it carries nothing out. */
    public boolean lists() {
        return listing != null;
    }

    /** As {@link #spawn(Entry.Clone, Duration, Consumer)}, for programs that open nothing in this process. */
    public SpawnReport spawn(Entry.Clone clone, Duration timeout) {
        return spawn(clone, timeout, report -> {});
    }

    /**
     * Carries a clone out and reaps those of its children that become no other program; of those that do, the caller reaps each. When
     * an entry failed, all children are dead and reaped.
     *
     * @param abandoned is given the report of a spawn that took too long, once all of its children have ended: what they have opened in
     *     this process is still open. Called by another thread, maybe after this call has thrown; the report is closed behind it
     * @throws SpawnTimeoutException when it took too long; no child runs, unless the exception says so
     */
    public SpawnReport spawn(Entry.Clone clone, Duration timeout, Consumer<SpawnReport> abandoned) {
        if (listing != null) {
            listing.accept(clone);
            return SpawnReport.failed(clone, Layout.ECANCELED);
        }
        ProgramImage image = ProgramImage.of(clone, Architecture.host(), fails, omits);
        SpawnTask task = new SpawnTask(image, abandoned);
        Future<SpawnReport> running = threads.submit(task, image);
        try {
            return await(running, timeout);
        } catch (TimeoutException late) {
            return end(clone, task, running, timeout);
        }
    }

    private SpawnReport end(Entry.Clone clone, SpawnTask task, Future<SpawnReport> running, Duration timeout) {
        Optional<String> where = task.giveUp();
        if (where.filter(SpawnTask.WAITING_FOR_A_THREAD::equals).isPresent()) {
            throw new SpawnTimeoutException(clone.name(), where.get(), timeout, 0);
        }
        SpawnReport report;
        try {
            report = await(running, PATIENCE_AFTER_KILL);
        } catch (TimeoutException stuck) {
            throw new SpawnTimeoutException(clone.name(), where.orElse(""), timeout, threads.lost());
        }
        if (where.isPresent()) {
            throw new SpawnTimeoutException(clone.name(), where.get(), timeout, 0);
        }
        // It came to its end at the last moment, so its children are the caller's.
        return report;
    }

    /** Uninterruptibly, for a short time: what was spawned must be taken over; the interrupt is seen by whoever waits next. */
    private static SpawnReport await(Future<SpawnReport> running, Duration timeout) throws TimeoutException {
        boolean interrupted = false;
        long end = System.nanoTime() + timeout.toNanos();
        try {
            while (true) {
                try {
                    return running.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("the spawn failed unexpectedly", e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
